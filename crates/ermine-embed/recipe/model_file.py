"""Writes and reads the model file; `src/static_model/format.rs` documents its layout.

`embed` does in numpy, operation for operation, what the Rust loader does, so the golden vectors are exact.
"""

import hashlib
import struct

import numpy as np

MAGIC = b"ERMSTATC"
VERSION = 1
_FIXED = struct.Struct("<8s6I")


def quantise(rows):
    """int8 rows and one float32 scale per row."""
    rows = rows.astype(np.float32)
    scales = (np.abs(rows).max(axis=1) / np.float32(127)).astype(np.float32)
    safe = np.where(scales > 0, scales, np.float32(1))
    return np.rint(rows / safe[:, None]).clip(-127, 127).astype(np.int8), scales


def write(path, name, tokens, rows):
    """Writes float rows, one per token, and returns the SHA-256 of the whole file."""
    quantised, scales = quantise(rows)
    words, title = [t.encode() for t in tokens], name.encode()
    assert len(words) == len(set(words)) == len(rows) and all(0 < len(w) <= 64 for w in words)
    text = b"".join(words)
    fixed = _FIXED.pack(MAGIC, VERSION, rows.shape[1], len(words), len(title), len(text), 0)
    body = title + bytes(len(w) for w in words) + text + scales.astype("<f4").tobytes() + quantised.tobytes()
    content = hashlib.sha256(fixed + body).digest()
    data = fixed + content + body
    with open(path, "wb") as f:
        f.write(data)
    return hashlib.sha256(data).hexdigest()


class Model:
    """A model file, read back."""

    def __init__(self, path):
        data = open(path, "rb").read()
        magic, version, self.dimensions, count, title, text, _ = _FIXED.unpack_from(data)
        assert (magic, version) == (MAGIC, VERSION)
        assert hashlib.sha256(data[:32] + data[64:]).digest() == data[32:64]
        at = 64
        self.name = data[at : at + title].decode()
        at += title
        lengths, at = data[at : at + count], at + count
        self.ids = {}
        for i, length in enumerate(lengths):
            self.ids[data[at : at + length].decode()] = i
            at += length
        self.scales = np.frombuffer(data, "<f4", count, at)
        self.rows = np.frombuffer(data, np.int8, count * self.dimensions, at + 4 * count).reshape(count, -1)

    def embed(self, tokens):
        """The unit vector of a text's WordPiece tokens, or None."""
        total = np.zeros(self.dimensions, dtype=np.float32)
        for token in tokens:
            row = self.ids.get(token)
            if row is not None:
                total += self.scales[row] * self.rows[row].astype(np.float32)
        squares = 0.0
        for x in total.tolist():
            squares += x * x
        if not squares > 0.0:
            return None
        return (total.astype(np.float64) / np.sqrt(squares)).astype(np.float32)
