#!/usr/bin/env python3
"""Writes the example models and index.json beside this file.

Needs the Python packages onnx and numpy. Run by hand after a change; the results are committed.
"""

import json
import os

import examples_blocked
import examples_fused
import examples_whole

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    index = []
    for module in (examples_whole, examples_fused, examples_blocked):
        for entry in module.EXAMPLES:
            make, topics, title, text = entry
            file = make.__name__.replace("_", "-") + ".onnx"
            make().save(os.path.join(HERE, file))
            index.append({"file": file, "topics": topics, "title": title, "text": text})
    with open(os.path.join(HERE, "index.json"), "w", encoding="utf-8") as out:
        json.dump(index, out, indent=1, ensure_ascii=False)
        out.write("\n")


if __name__ == "__main__":
    main()
