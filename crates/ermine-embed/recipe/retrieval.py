"""nDCG@10 of a collection in BEIR form, by cosine over vectors that the caller supplies."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np


class Collection:
    def __init__(self, folder):
        folder = Path(folder)
        read = lambda name: [json.loads(line) for line in (folder / name).read_text().splitlines()]  # noqa: E731
        documents, queries = read("corpus.jsonl"), read("queries.jsonl")
        self.documents = [d["_id"] for d in documents]
        self.document_texts = [f"{d['title']} {d['text']}".strip() for d in documents]
        self.query_texts = [q["text"] for q in queries]
        judged = defaultdict(dict)
        for line in (folder / "qrels/test.tsv").read_text().splitlines()[1:]:
            query, document, grade = line.split("\t")
            judged[query][document] = int(grade)
        self.judged = [judged[q["_id"]] for q in queries]

    def ndcg_at_10(self, query_vectors, document_vectors):
        """Mean over the queries that have a relevant document. A zero vector is found by nobody."""
        unit = lambda m: m / np.maximum(np.linalg.norm(m, axis=1, keepdims=True), 1e-12)  # noqa: E731
        similarity = unit(query_vectors) @ unit(document_vectors).T
        similarity[:, ~document_vectors.any(axis=1)] = -2
        discount = 1 / np.log2(np.arange(2, 12))
        figures = []
        for scores, judged in zip(similarity, self.judged):
            ideal = np.sort(list(judged.values()))[::-1][:10]
            if not ideal.size or ideal[0] <= 0:
                continue
            best = np.argsort(-scores, kind="stable")[:10]
            gains = np.array([judged.get(self.documents[i], 0) for i in best])
            figures.append((gains * discount).sum() / (ideal * discount[: len(ideal)]).sum())
        return float(np.mean(figures))
