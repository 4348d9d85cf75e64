"""The teacher's sentence embeddings, by a forward pass of its own six layers in numpy.

Texts of equal length are packed together, so nothing is padded and nothing is masked.
"""

import numpy as np

MAX_TOKENS = 256
BATCH_TOKENS = 1024
_SLICE = 64


def _erf(x):
    # Abramowitz & Stegun 7.1.26: |error| <= 1.5e-7, numpy has no erf.
    sign, a = np.sign(x), np.abs(x)
    t = 1.0 / (1.0 + np.float32(0.3275911) * a)
    poly = np.float32(1.061405429) * t + np.float32(-1.453152027)
    for c in (1.421413741, -0.284496736, 0.254829592):
        poly = poly * t + np.float32(c)
    return sign * (1.0 - poly * t * np.exp(-a * a))


def _gelu_in_place(x):
    # In slices, so that the temporaries stay in the processor's cache.
    for i in range(0, len(x), _SLICE):
        part = x[i : i + _SLICE]
        part *= 0.5 * (1.0 + _erf(part * np.float32(0.70710678118)))
    return x


def _layer_norm(x, gain, bias, eps):
    x = x - x.mean(axis=1, keepdims=True)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(eps)) * gain + bias


class Encoder:
    """Six BERT layers, mean pooling, unit length."""

    def __init__(self, teacher):
        self.w = {k: np.ascontiguousarray(v, dtype=np.float32) for k, v in teacher.weights.items() if v.dtype.kind == "f"}
        self.heads = teacher.config["num_attention_heads"]
        self.layers = teacher.config["num_hidden_layers"]
        self.eps = teacher.config["layer_norm_eps"]

    def _dense(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def _norm(self, x, name):
        return _layer_norm(x, self.w[name + ".weight"], self.w[name + ".bias"], self.eps)

    def embed(self, ids):
        """`ids` is (texts, tokens) with [CLS] and [SEP]; returns (texts, 384), unit length."""
        ids = np.asarray(ids)
        n, length = ids.shape
        e = "embeddings."
        x = self.w[e + "word_embeddings.weight"][ids] + self.w[e + "position_embeddings.weight"][:length]
        x = (x + self.w[e + "token_type_embeddings.weight"][0]).reshape(n * length, -1)
        x = self._norm(x, e + "LayerNorm")
        width = x.shape[1]
        per_head = width // self.heads

        def split(y):
            return y.reshape(n, length, self.heads, per_head).transpose(0, 2, 1, 3)

        for layer in range(self.layers):
            p = f"encoder.layer.{layer}."
            q, k, v = (split(self._dense(x, f"{p}attention.self.{s}")) for s in ("query", "key", "value"))
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(per_head))
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(n * length, width)
            x = self._norm(x + self._dense(mixed, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            inner = _gelu_in_place(self._dense(x, p + "intermediate.dense"))
            x = self._norm(x + self._dense(inner, p + "output.dense"), p + "output.LayerNorm")
        pooled = x.reshape(n, length, width).mean(axis=1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def embed_all(teacher, texts):
    """(texts, 384) float32, in the order given."""
    ids = teacher.token_ids(texts, special=True)
    return embed_ids(teacher, [i if len(i) <= MAX_TOKENS else i[: MAX_TOKENS - 1] + i[-1:] for i in ids])


def embed_tokens(teacher):
    """(30522, 384): each token of the vocabulary alone between [CLS] and [SEP]."""
    start, end = teacher.token_ids([""], special=True)[0]
    return embed_ids(teacher, [[start, token, end] for token in range(len(teacher.vocabulary))])


def embed_ids(teacher, ids):
    """(texts, 384) float32 for lists of token ids that have [CLS] and [SEP]."""
    encoder = Encoder(teacher)
    order = sorted(range(len(ids)), key=lambda i: (len(ids[i]), i))
    out = np.empty((len(ids), teacher.config["hidden_size"]), dtype=np.float32)
    start = 0
    while start < len(order):
        length = len(ids[order[start]])
        end = start
        while end < len(order) and len(ids[order[end]]) == length and (end - start) * length < BATCH_TOKENS:
            end += 1
        chosen = order[start:end]
        out[chosen] = encoder.embed([ids[i] for i in chosen])
        start = end
    return out
