"""Step 1: the teacher's embeddings of WordNet's glosses, and of each synset's words, cached in a folder.

python embed_teacher.py --teacher WHEEL --wordnet DEB --cache FOLDER [--jobs 2]

Interrupted, it goes on where it stopped.
"""

import argparse
import multiprocessing
import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

import inputs  # noqa: E402
import teacher  # noqa: E402

CHUNK = 4_000


def texts_of(synsets, kind):
    """The texts of one kind: `glosses`, or `words` (a synset's words, joined by commas)."""
    return [gloss if kind == "glosses" else ", ".join(words) for words, gloss in synsets]


def cached(cache, kind):
    """(117659, 384) float32: the embeddings that this script left in the folder."""
    files = sorted(Path(cache).glob(f"{kind}-*.npy"))
    return np.concatenate([np.load(f) for f in files])


def _start(wheel, deb):
    global TEACHER, SYNSETS
    TEACHER, SYNSETS = inputs.Teacher(wheel), inputs.wordnet(deb)


def _chunk(job):
    kind, start, path = job
    texts = texts_of(SYNSETS, kind)[start : start + CHUNK]
    part = path.with_suffix(".part")
    with part.open("wb") as f:
        np.save(f, teacher.embed_all(TEACHER, texts))
    part.rename(path)
    return path.name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    jobs = []
    for kind in ("glosses", "words"):
        for start in range(0, inputs.GLOSSES, CHUNK):
            path = args.cache / f"{kind}-{start:06}.npy"
            if not path.exists():
                jobs.append((kind, start, path))
    with multiprocessing.Pool(args.jobs, _start, (args.teacher, args.wordnet)) as pool:
        for done, name in enumerate(pool.imap(_chunk, jobs), 1):
            print(f"{done}/{len(jobs)} {name}", flush=True)


if __name__ == "__main__":
    main()
