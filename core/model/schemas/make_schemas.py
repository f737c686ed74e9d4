#!/usr/bin/env python3
"""Writes schemas.json from the operator schemas of the installed onnx package.

Run by hand when a new version of the standard is out; the build reads only the JSON:

    python3 -m venv /tmp/onnx-venv && /tmp/onnx-venv/bin/pip install onnx
    /tmp/onnx-venv/bin/python core/model/schemas/make_schemas.py

Every since-version of every operator is one line, sorted by domain, name and version. What has its
usual value is left out: an option that is "single", homogeneous true, min_arity 1, a flag that is
false, determinism "deterministic", an empty list. A max_input or max_output of null is unlimited.
Then write a sentence for each new operator into descriptions.json and run schema_test, which says
what is missing.
"""

import json
import pathlib
import struct

import onnx
import onnx.defs

UNLIMITED = 2**31 - 1
DETERMINISM = {
    onnx.defs.OpSchema.NodeDeterminism.NonDeterministic: "non-deterministic",
    onnx.defs.OpSchema.NodeDeterminism.Unknown: "unknown",
}


def type_text(text):
    return text.replace(" ", "")


def shortest_float(value):
    """The double with the fewest digits that is this float when rounded to single precision."""
    single = struct.pack("<f", value)
    for digits in range(1, 18):
        candidate = float(f"{value:.{digits}g}")
        if abs(candidate) <= 3.4028235677973366e38 and struct.pack("<f", candidate) == single:
            return candidate
    return value


def default_value(proto):
    kind = onnx.AttributeProto.AttributeType.Name(proto.type)
    if kind == "UNDEFINED":
        return None
    if kind == "FLOAT":
        return shortest_float(proto.f)
    if kind == "INT":
        return proto.i
    if kind == "STRING":
        return proto.s.decode("utf-8")
    if kind == "FLOATS":
        return [shortest_float(value) for value in proto.floats]
    if kind == "INTS":
        return list(proto.ints)
    if kind == "STRINGS":
        return [value.decode("utf-8") for value in proto.strings]
    raise ValueError(f"default of attribute {proto.name} has the type {kind}")


def attribute(entry):
    record = {"name": entry.name, "type": entry.type.name}
    if entry.required:
        record["required"] = True
    default = default_value(entry.default_value)
    if default is not None:
        record["default"] = default
    return record


def parameter(entry):
    record = {"name": entry.name, "type": type_text(entry.type_str)}
    option = entry.option.name.lower()
    if option != "single":
        record["option"] = option
    if not entry.is_homogeneous:
        record["homogeneous"] = False
    if entry.min_arity != 1:
        record["min_arity"] = entry.min_arity
    return record


def limit(count):
    return None if count >= UNLIMITED else count


def schema(entry):
    record = {"name": entry.name, "domain": entry.domain, "since_version": entry.since_version}
    if entry.deprecated:
        record["deprecated"] = True
    if entry.has_function or entry.has_context_dependent_function:
        record["has_function"] = True
    if entry.node_determinism in DETERMINISM:
        record["determinism"] = DETERMINISM[entry.node_determinism]
    record["min_input"] = entry.min_input
    record["max_input"] = limit(entry.max_input)
    record["min_output"] = entry.min_output
    record["max_output"] = limit(entry.max_output)
    lists = {
        "inputs": [parameter(p) for p in entry.inputs],
        "outputs": [parameter(p) for p in entry.outputs],
        "attributes": [attribute(a) for _, a in sorted(entry.attributes.items())],
        "type_constraints": [
            {"name": c.type_param_str, "types": [type_text(t) for t in c.allowed_type_strs]}
            for c in entry.type_constraints
        ],
    }
    record.update({key: value for key, value in lists.items() if value})
    return record


def main():
    entries = onnx.defs.get_all_schemas_with_history()
    entries.sort(key=lambda s: (s.domain, s.name, s.since_version))
    used = {entry.domain for entry in entries}
    versions = onnx.defs.C.schema_version_map()
    domains = {domain: versions[domain][1] for domain in sorted(used)}

    def compact(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    lines = ",\n".join(compact(schema(entry)) for entry in entries)
    target = pathlib.Path(__file__).with_name("schemas.json")
    target.write_text(
        f'{{"onnx":{compact(onnx.__version__)},\n"domains":{compact(domains)},\n'
        f'"schemas":[\n{lines}\n]}}\n',
        encoding="utf-8",
    )
    print(f"{target}: {len(entries)} versions of "
          f"{len({(e.domain, e.name) for e in entries})} operators, onnx {onnx.__version__}")


if __name__ == "__main__":
    main()
