"""Step 2: fits the token vectors and writes the model file. Prints its SHA-256, which the crate pins.

python make.py --teacher WHEEL --wordnet DEB --cache FOLDER --out ../models/english-256.ermstat
"""

import argparse

import fit
import inputs
import model_file

NAME = "english-256"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    data = fit.Data(inputs.Teacher(args.teacher), inputs.glosses(args.wordnet), args.cache)
    rows = data.fit()
    kept = [i for i, token in enumerate(data.vocabulary) if not fit.is_special(token)]
    digest = model_file.write(args.out, NAME, [data.vocabulary[i] for i in kept], rows[kept])
    print(f"{len(kept)} tokens, SHA-256 {digest}")


if __name__ == "__main__":
    main()
