#!/usr/bin/env python3
"""Brings the .ts files up to date with the sources: `cmake --build --preset dev --target
update_translations`. Usage: update.py LUPDATE

lupdate reads tr(), QT_TRANSLATE_NOOP and the table of core (CORE_TEXT). What it cannot see is added
here: functions tr() of one file that name their context themselves, and macros that pass a text on.
Translations that are there are kept; texts that are gone are dropped; new ones are unfinished.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
FOLDERS = ["app", "ui", "core/report"]
LITERAL = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
# Forms of a count in English that are no plain "(s)".
PLURALS = {"match(es)": ("match", "matches"), "(y/ies)": ("y", "ies"), "pass(es)": ("pass", "passes"),
           "miss(es)": ("miss", "misses"), "%n channels": ("%n channel", "%n channels"),
           "%n more notices": ("%n more notice", "%n more notices"),
           "candidate(s) matched and were": ("candidate matched and was", "candidates matched and were"),
           "All %n candidate(s) were fused": ("%n candidate was fused", "All %n candidates were fused"),
           "operator(s) are one": ("operator is one", "operators are one"),
           "outputs differ": ("outputs differs", "outputs differ"),
           "conditions fail": ("conditions fails", "conditions fail")}


def sources():
    for folder in FOLDERS:
        for root, _, files in os.walk(os.path.join(TOP, folder)):
            for name in sorted(files):
                if name.endswith((".cpp", ".h")):
                    path = os.path.join(root, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, TOP), file.read()


def unquote(literals):
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literals)
    names = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
    return "".join(re.sub(r"\\(.)", lambda m: names.get(m[1], m[1]), part) for part in parts)


def arguments(text, start):
    """The arguments of a call whose opening bracket stands before `start`."""
    depth, current, result, i = 0, "", [], start
    while i < len(text):
        literal = re.match(r'"(?:[^"\\]|\\.)*"', text[i:])
        if literal:
            current += literal[0]
            i += len(literal[0])
            continue
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return result + [current.strip()]
            depth -= 1
        if c == "," and depth == 0:
            result.append(current.strip())
            current = ""
        else:
            current += c
        i += 1
    return []


def read(path):
    """(context, source, comment) -> list of translations, or None when unfinished."""
    found = {}
    if not os.path.exists(path):
        return found
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            key = (context.findtext("name"), message.findtext("source"),
                   message.findtext("comment") or "")
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")]
            forms = forms or [translation.text or ""]
            done = translation.get("type") is None and all(forms)
            files = [place.get("filename") for place in message.iter("location")]
            found[key] = (forms if done else None, files)
    return found


def seen_by_lupdate(lupdate):
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        path = os.path.join(folder, "all.ts")
        subprocess.run([lupdate, "-silent", "-no-obsolete", "-locations", "absolute", "-I", ".",
                        "-I", "core", "-tr-function-alias", "QT_TRANSLATE_NOOP+=CORE_TEXT",
                        *FOLDERS, "-ts", path], cwd=TOP, check=True, stderr=subprocess.DEVNULL)
        result = {}
        for key, (_, files) in read(path).items():
            result[key] = [os.path.relpath(os.path.join(folder, name), TOP) for name in files]
        return result


def gather(lupdate):
    texts = dict(sources())
    own = {path: found[1] for path, text in texts.items()
           if (found := re.search(r'\btr\s*(?:\(|=).{0,120}?translate\("(\w+)",\s*text\b', text,
                                  re.S))}
    keys = set()
    for (context, source, comment), files in seen_by_lupdate(lupdate).items():
        own_here = [own[name] for name in files if name in own]
        keys.update((name, source, comment) for name in own_here)
        if context == "fusescope":
            # Braces among a constructor's initializers make lupdate lose the class.
            keys.update(("fusescope::" + name, source, comment)
                        for path in files if path not in own
                        for name in re.findall(r"^(\w+)::\1\(", texts[path], re.M))
        elif context != "fusescope::command":
            keys.add((context, source, comment))
    for path, text in texts.items():
        if path.startswith("core"):
            continue
        for context, literals in re.findall(r'QT_TRANSLATE_NOOP\("(\w+)",\s*' + LITERAL, text):
            keys.add((context, unquote(literals), ""))
        for name, parameters, context, used in re.findall(
                r'#define (\w+)\(([^)]*)\)(?:[^\n]|\\\n)*?QT_TRANSLATE_NOOP\("(\w+)",\s*(\w+)\)',
                text):
            place = [one.strip() for one in parameters.split(",")].index(used)
            for call in re.finditer(r"(?<!define )\b" + name + r"\(", text):
                passed = arguments(text, call.end())
                if len(passed) > place and passed[place].startswith('"'):
                    keys.add((context, unquote(passed[place]), ""))
    return sorted(keys)


def english(source):
    one, many = source, source
    for form, (singular, plural) in PLURALS.items():
        one, many = one.replace(form, singular), many.replace(form, plural)
    return [one.replace("(s)", ""), many.replace("(s)", "s")]


def write(path, language, keys, known):
    out = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
           f'<TS version="2.1" language="{language}">']
    current, unfinished = None, 0
    for context, source, comment in keys:
        if context != current:
            if current is not None:
                out.append("</context>")
            out += ["<context>", f"    <name>{escape(context)}</name>"]
            current = context
        numerus = "%n" in source
        forms = known.get((context, source, comment), (None, []))[0]
        out.append('    <message numerus="yes">' if numerus else "    <message>")
        out.append(f"        <source>{escape(source)}</source>")
        if comment:
            out.append(f"        <comment>{escape(comment)}</comment>")
        mark = "" if forms else ' type="unfinished"'
        unfinished += 0 if forms else 1
        if numerus:
            out.append(f"        <translation{mark}>")
            out += [f"            <numerusform>{escape(form)}</numerusform>"
                    for form in forms or [""]]
            out.append("        </translation>")
        else:
            out.append(f"        <translation{mark}>{escape((forms or [''])[0])}</translation>")
        out.append("    </message>")
    if current is not None:
        out.append("</context>")
    out.append("</TS>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
    print(f"{os.path.basename(path)}: {len(keys)} texts, {unfinished} unfinished")


def main():
    keys = gather(sys.argv[1])
    chinese = os.path.join(HERE, "fusescope_zh_CN.ts")
    write(chinese, "zh_CN", keys, read(chinese))
    plural = [key for key in keys if "%n" in key[1]]
    write(os.path.join(HERE, "fusescope_en.ts"), "en", plural,
          {key: (english(key[1]), []) for key in plural})


if __name__ == "__main__":
    main()
