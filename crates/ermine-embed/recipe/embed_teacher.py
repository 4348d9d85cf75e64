"""Step 1: the teacher's embeddings of WordNet's glosses, and of each token alone, cached in a folder.

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


def cached(cache, kind):
    """The embeddings that this script left in the folder: `glosses` (117659, 384), `tokens` (30522, 384)."""
    files = sorted(Path(cache).glob(f"{kind}-*.npy"))
    return np.concatenate([np.load(f) for f in files])


def _start(wheel, deb):
    global TEACHER, GLOSSES
    TEACHER, GLOSSES = inputs.Teacher(wheel), inputs.glosses(deb)


def _chunk(job):
    kind, start, path = job
    if kind == "tokens":
        embeddings = teacher.embed_tokens(TEACHER)
    else:
        embeddings = teacher.embed_all(TEACHER, GLOSSES[start : start + CHUNK])
    part = path.with_suffix(".part")
    with part.open("wb") as f:
        np.save(f, embeddings)
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
    starts = [("tokens", 0)] + [("glosses", start) for start in range(0, inputs.GLOSSES, CHUNK)]
    jobs = [(kind, start, args.cache / f"{kind}-{start:06}.npy") for kind, start in starts]
    jobs = [job for job in jobs if not job[2].exists()]
    with multiprocessing.Pool(args.jobs, _start, (args.teacher, args.wordnet)) as pool:
        for done, name in enumerate(pool.imap(_chunk, jobs), 1):
            print(f"{done}/{len(jobs)} {name}", flush=True)


if __name__ == "__main__":
    main()
