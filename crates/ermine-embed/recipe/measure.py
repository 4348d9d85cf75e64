"""Step 3: what the model is worth, each figure beside plain pooling's.

python measure.py --teacher WHEEL --wordnet DEB --cache FOLDER --model ../models/english-256.ermstat \
    [--collection FOLDER …]

Mean cosine to the projected teacher on the 5,000 glosses that were held out of the fit, and nDCG@10 on
collections in BEIR form. Plain pooling is the teacher's own token vectors with the same projection and
the same frequency weights: both its input embeddings, and each token's sentence embedding alone.
"""

import argparse
from pathlib import Path

import numpy as np

import fit
import inputs
import model_file
import retrieval


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--collection", nargs="*", default=[])
    args = parser.parse_args()
    teacher = inputs.Teacher(args.teacher)
    data = fit.Data(teacher, inputs.glosses(args.wordnet), args.cache)
    held_out = data.counts[data.held_out]
    truth = data.embeddings[data.held_out] @ data.components
    collections = [retrieval.Collection(folder) for folder in args.collection]

    def counted(texts):
        return fit.counts(teacher.token_ids(texts), len(data.vocabulary))

    counts = [(counted(c.query_texts), counted(c.document_texts)) for c in collections]
    print(f"{'':32} {'cosine':>9}", *(f"{Path(folder).name:>9}" for folder in args.collection))
    for name, rows in methods(data, teacher, args.model):
        cosine = fit.mean_cosine(held_out @ rows, truth)
        figures = [c.ndcg_at_10(q @ rows, d @ rows) for c, (q, d) in zip(collections, counts)]
        print(f"{name:32} {cosine:9.4f}", *(f"{f:9.4f}" for f in figures))


def methods(data, teacher, path):
    """(name, one row per token of the teacher's vocabulary)."""
    yield "pooled input embeddings", data.pooled(teacher.weights["embeddings.word_embeddings.weight"])
    yield "pooled embeddings of tokens", data.pooled(data.tokens)
    model = model_file.Model(path)
    rows = np.zeros((len(data.vocabulary), model.dimensions), np.float32)
    for token, number in ((t, i) for i, t in enumerate(data.vocabulary) if t in model.ids):
        row = model.ids[token]
        rows[number] = model.scales[row] * model.rows[row].astype(np.float32)
    yield f"{model.name}, int8", rows


if __name__ == "__main__":
    main()
