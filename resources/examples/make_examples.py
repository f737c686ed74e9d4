#!/usr/bin/env python3
"""Writes the example models and index.json beside this file.

Needs the Python packages onnx and numpy. Run by hand after a change; the results are committed.
"""

import json
import os

import examples_whole  # noqa: F401  (the order of these imports is the order of the list)
import examples_convolution  # noqa: F401
import examples_tensor  # noqa: F401
import examples_chains  # noqa: F401
import examples_blocked  # noqa: F401
import examples_obstacles  # noqa: F401
from model_maker import EXAMPLES

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    index = []
    for entry in EXAMPLES:
        make = entry.pop("make")
        file = make.__name__.replace("_", "-") + ".onnx"
        make().save(os.path.join(HERE, file))
        index.append({"file": file, **entry})
    with open(os.path.join(HERE, "index.json"), "w", encoding="utf-8") as out:
        json.dump(index, out, indent=1, ensure_ascii=False)
        out.write("\n")


if __name__ == "__main__":
    main()
