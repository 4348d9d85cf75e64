"""Fits one vector per token, so that the weighted mean of a text's tokens matches the teacher.

For texts i with token counts c(i,t), weights w(t) = A / (A + p(t)) and teacher vectors Y projected to
256 principal components, with row i of X being c(i,t) w(t) / sum of the same over t:

    minimise |X V - Y|^2 + penalty |V - prior|^2        by conjugate gradients, all 256 columns at once

The prior is the teacher's sentence embedding of the token alone, projected: what a token that no gloss
holds keeps. Inference needs no weights and no division: the weight is folded into the row, and unit
length undoes the rest.

Glosses are not running text: they lack full stops and most of the function words that documents are
full of, so their frequencies make "this", "results" and "." look informative. The folded weight
therefore takes the smaller of the fit's and one from the rank of the token in the vocabulary, which is
ordered by frequency, and punctuation gets none.
"""

import unicodedata

import numpy as np
import scipy.sparse as sparse

import embed_teacher

DIMENSIONS = 256
A = 0.001
PENALTY = 0.05
A_RANK = 0.0003
FIRST_WORD = 1_996  # "the": before it are special tokens and single characters
HELD_OUT = 5_000
SEED = 20_240_607


def split(count):
    """(fitted, held out): which glosses serve for what. The seed pins it."""
    order = np.random.default_rng(SEED).permutation(count)
    return np.sort(order[HELD_OUT:]), np.sort(order[:HELD_OUT])


def counts(ids, vocabulary):
    """(texts, vocabulary) sparse token counts."""
    lengths = [len(i) for i in ids]
    columns = np.fromiter((t for i in ids for t in i), np.int32, sum(lengths))
    rows = np.repeat(np.arange(len(ids)), lengths)
    ones = np.ones(len(columns), np.float32)
    return sparse.csr_matrix((ones, (rows, columns)), shape=(len(ids), vocabulary))


def frequency_weights(count_matrix, a=A):
    occurrences = np.asarray(count_matrix.sum(axis=0)).ravel()
    return (a / (a + occurrences / occurrences.sum())).astype(np.float32)


def weighted_means(count_matrix, weights):
    """Rows of the design matrix; a text without tokens is a row of zeros."""
    weighted = (count_matrix @ sparse.diags(weights)).tocsr()
    totals = np.asarray(weighted.sum(axis=1)).ravel()
    return (sparse.diags(1.0 / np.maximum(totals, 1e-9)) @ weighted).tocsr().astype(np.float32)


def components(embeddings):
    """(384, 256): the directions that hold most of the embeddings. Not centred: the origin is the cosine's."""
    _, vectors = np.linalg.eigh(embeddings.T.astype(np.float64) @ embeddings)
    return vectors[:, ::-1][:, :DIMENSIONS].astype(np.float32)


def ridge(x, y, prior, penalty=PENALTY, steps=200, tolerance=1e-4, log=print):
    """The token vectors, (vocabulary, 256)."""
    seen = np.flatnonzero(np.asarray(x.sum(axis=0)).ravel())  # an unseen token keeps its prior
    x = x[:, seen].tocsr()
    transposed = x.T.tocsr()
    diagonal = np.asarray(x.multiply(x).sum(axis=0)).ravel()[:, None] + np.float32(penalty)

    def dots(a, b):
        return np.einsum("ij,ij->j", a, b, dtype=np.float64)

    v = np.zeros_like(prior[seen])
    r = transposed @ (y - x @ prior[seen])
    z = r / diagonal
    p, rz = z.copy(), dots(r, z)
    first = rz.sum()
    for step in range(steps):
        if rz.sum() <= tolerance**2 * first:
            break
        q = transposed @ (x @ p) + np.float32(penalty) * p
        alpha = (rz / np.maximum(dots(p, q), 1e-30)).astype(np.float32)
        v += p * alpha
        r -= q * alpha
        z = r / diagonal
        new = dots(r, z)
        p = z + p * (new / np.maximum(rz, 1e-30)).astype(np.float32)
        rz = new
    log(f"conjugate gradients: {step} steps, residual {np.sqrt(rz.sum() / first):.1e}")
    fitted = prior.copy()
    fitted[seen] += v
    return fitted


def mean_cosine(a, b):
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return float((np.einsum("ij,ij->i", a, b) / np.maximum(norms, 1e-12)).mean())


def is_special(token):
    """[CLS], [unused7] and their like: no text is ever cut into them."""
    return len(token) > 2 and token[0] == "[" and token[-1] == "]"


def rank_weights(vocabulary):
    """A_RANK / (A_RANK + p), p by Zipf's law from the rank; 0 for punctuation and symbols."""
    ranks = np.arange(len(vocabulary)) - (FIRST_WORD - 1)
    p = np.where(ranks > 0, 0.1 / np.maximum(ranks, 1), 0.0)
    silent = [all(unicodedata.category(c)[0] in "PS" for c in token.removeprefix("##")) for token in vocabulary]
    return np.where(silent, 0.0, A_RANK / (A_RANK + p)).astype(np.float32)


class Data:
    """The glosses' token counts and teacher vectors, split into fitted and held out."""

    def __init__(self, teacher, glosses, cache):
        self.vocabulary = teacher.vocabulary
        self.tokens = embed_teacher.cached(cache, "tokens")
        self.embeddings = embed_teacher.cached(cache, "glosses")
        assert len(self.embeddings) == len(glosses)
        self.counts = counts(teacher.token_ids(glosses), len(self.vocabulary))
        self.fitted, self.held_out = split(len(glosses))
        self.weights = frequency_weights(self.counts[self.fitted])
        self.components = components(self.embeddings[self.fitted])

    def fit(self):
        """The rows of the model: vectors with their folded weights, for the whole vocabulary."""
        x = weighted_means(self.counts[self.fitted], self.weights)
        y = self.embeddings[self.fitted] @ self.components
        vectors = ridge(x, y, self.tokens @ self.components)
        return np.minimum(self.weights, rank_weights(self.vocabulary))[:, None] * vectors

    def pooled(self, token_vectors):
        """The baseline: the given vectors with the same projection and the fit's weights, not fitted."""
        kept = np.array([not is_special(token) for token in self.vocabulary])
        return (self.weights * kept)[:, None] * (token_vectors @ self.components)
