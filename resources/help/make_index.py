#!/usr/bin/env python3
"""Writes index.json from the first lines of the pages beside it.

The order is that of the tables in core/report. Run by hand after a page was added.
"""

import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.join(HERE, "..", "..", "core", "report")


def title(page):
    with open(os.path.join(HERE, page + ".md"), encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def listed(path, pattern):
    with open(os.path.join(REPORT, path), encoding="utf-8") as file:
        ids = re.findall(pattern, file.read())
    return [{"id": one, "title": title(one)} for one in ids]


def main():
    index = {"rules": listed("texts/texts_passes.cpp", r'"rule\.([a-z-]+)"'),
             "reasons": listed("reason_codes.inc", r'"([a-z0-9-]+)"')}
    with open(os.path.join(HERE, "index.json"), "w", encoding="utf-8") as out:
        json.dump(index, out, indent=1, ensure_ascii=False)
        out.write("\n")


if __name__ == "__main__":
    main()
