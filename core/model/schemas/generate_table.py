#!/usr/bin/env python3
"""Writes the schema tables as C++: generate_table.py SCHEMAS DESCRIPTIONS OUTPUT.

Equal lists are written once: most versions of an operator share their parameters and attributes.
"""

import json
import sys


class Pool:
    """Rows of one array; a list of rows becomes a span of it, equal lists the same span."""

    def __init__(self, row_type, name):
        self.row_type = row_type
        self.name = name
        self.rows = []
        self.places = {}

    def span(self, rows):
        if not rows:
            return "{}"
        key = tuple(rows)
        if key not in self.places:
            self.places[key] = len(self.rows)
            self.rows.extend(rows)
        return f"{{{self.name} + {self.places[key]}, {len(rows)}}}"

    def definition(self):
        body = ",\n".join(self.rows)
        return f"constexpr {self.row_type} {self.name}[] = {{\n{body}}};\n"


def text(value):
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in value.encode("utf-8")
    )
    return f'"{escaped}"sv'


def boolean(value):
    return "true" if value else "false"


def floating(value):
    return f"{float(value)!r}F"


def limit(count):
    return "unlimited" if count is None else str(count)


ATTRIBUTE_TYPES = {
    "FLOAT": "floating",
    "INT": "integer",
    "STRING": "string",
    "TENSOR": "tensor",
    "GRAPH": "graph",
    "FLOATS": "floats",
    "INTS": "integers",
    "STRINGS": "strings",
    "TENSORS": "tensors",
    "GRAPHS": "graphs",
    "SPARSE_TENSOR": "sparseTensor",
    "SPARSE_TENSORS": "sparseTensors",
    "TYPE_PROTO": "typeProto",
    "TYPE_PROTOS": "typeProtos",
}


class Writer:
    def __init__(self):
        self.strings = Pool("std::string_view", "strings")
        self.integers = Pool("std::int64_t", "integers")
        self.floats = Pool("float", "floats")
        self.parameters = Pool("FormalParameter", "parameters")
        self.constraints = Pool("TypeConstraint", "constraints")
        self.attributes = Pool("SchemaAttribute", "attributes")

    def default(self, attribute):
        if "default" not in attribute:
            return "{}"
        value = attribute["default"]
        kind = attribute["type"]
        if kind == "FLOAT":
            return floating(value)
        if kind == "INT":
            return f"std::int64_t{{{value}}}"
        if kind == "STRING":
            return text(value)
        if kind == "FLOATS":
            return f"std::span<const float>{self.floats.span([floating(v) for v in value])}"
        if kind == "INTS":
            return f"std::span<const std::int64_t>{self.integers.span([str(v) for v in value])}"
        if kind == "STRINGS":
            return f"std::span<const std::string_view>{self.strings.span([text(v) for v in value])}"
        raise ValueError(f"no default can be written for the type {kind}")

    def attribute(self, attribute):
        kind = ATTRIBUTE_TYPES[attribute["type"]]
        return (
            f"{{{text(attribute['name'])}, AttributeType::{kind}, "
            f"{boolean(attribute.get('required'))}, {self.default(attribute)}}}"
        )

    def types(self, names):
        return self.strings.span([text(name) for name in names])

    def parameter(self, parameter, constraints):
        name = parameter["type"]
        return (
            f"{{{text(parameter['name'])}, {text(name)}, "
            f"ParamOption::{parameter.get('option', 'single')}, "
            f"{boolean(parameter.get('homogeneous', True))}, {parameter.get('min_arity', 1)}, "
            f"{self.types(constraints.get(name, [name]))}}}"
        )

    def schema(self, schema, description):
        constraints = {c["name"]: c["types"] for c in schema.get("type_constraints", [])}
        inputs = [self.parameter(p, constraints) for p in schema.get("inputs", [])]
        outputs = [self.parameter(p, constraints) for p in schema.get("outputs", [])]
        attributes = [self.attribute(a) for a in schema.get("attributes", [])]
        types = [f"{{{text(name)}, {self.types(t)}}}" for name, t in constraints.items()]
        return (
            f"{{{text(schema['domain'])}, {text(schema['name'])}, {text(description)}, "
            f"{schema['since_version']}, {boolean(schema.get('deprecated'))}, "
            f"{boolean(schema.get('has_function'))}, "
            f"{boolean(schema.get('determinism') != 'non-deterministic')}, "
            f"{schema['min_input']}, {limit(schema['max_input'])}, "
            f"{schema['min_output']}, {limit(schema['max_output'])}, "
            f"{self.parameters.span(inputs)}, {self.parameters.span(outputs)}, "
            f"{self.attributes.span(attributes)}, {self.constraints.span(types)}}}"
        )


def operator_rows(schemas):
    rows = []
    first = 0
    for index, schema in enumerate(schemas):
        key = (schema["domain"], schema["name"])
        following = schemas[index + 1] if index + 1 < len(schemas) else None
        if following and (following["domain"], following["name"]) == key:
            continue
        rows.append(f"{{{text(key[0])}, {text(key[1])}, {{versions + {first}, {index + 1 - first}}}}}")
        first = index + 1
    return rows


def main(schemas_file, descriptions_file, output_file):
    with open(schemas_file, encoding="utf-8") as file:
        source = json.load(file)
    with open(descriptions_file, encoding="utf-8") as file:
        descriptions = json.load(file)
    schemas = sorted(
        source["schemas"], key=lambda s: (s["domain"], s["name"], s["since_version"])
    )
    missing = sorted({s["name"] for s in schemas} - descriptions.keys())
    if missing:
        sys.exit(f"{descriptions_file}: no description of {', '.join(missing)}")

    writer = Writer()
    versions = [writer.schema(s, descriptions[s["name"]]) for s in schemas]
    domains = [f"{{{text(d)}, {v}}}" for d, v in source["domains"].items()]

    parts = [
        "// Written by generate_table.py from schemas.json and descriptions.json.\n",
        '#include "model/schemas/schema_table.h"\n',
        "#include <limits>\n",
        "namespace fusescope::schemas {\nnamespace {\n",
        "using namespace std::string_view_literals;\n",
        "constexpr int unlimited = std::numeric_limits<int>::max();\n",
    ]
    pools = [writer.strings, writer.integers, writer.floats, writer.parameters,
             writer.constraints, writer.attributes]
    parts += [pool.definition() for pool in pools if pool.rows]
    for row_type, name, rows in (
        ("OpSchema", "versions", versions),
        ("OperatorRow", "operators", operator_rows(schemas)),
        ("DomainRow", "domains", domains),
    ):
        parts.append(f"constexpr {row_type} {name}[] = {{\n" + ",\n".join(rows) + "};\n")
    parts.append("} // namespace\n")
    parts.append("constinit const Table table{versions, operators, domains};\n")
    parts.append("} // namespace fusescope::schemas\n")
    with open(output_file, "w", encoding="utf-8") as file:
        file.write("".join(parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
