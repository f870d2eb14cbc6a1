"""Values made from the JSON Schemas of an OpenAPI 3.0 document, the smallest allowed or with everything in it; and names.

It knows the document and the names that a client is offered, and nothing of how we read either.
"""

import re

# Optional properties are filled down to this depth.
DEEP = 3
# What an encoding may get wrong.
TEXT = "Some text, ä€😀 & b=c+d%20 ~-._*'()!/?#\"\\\n"
KEY = "some key[0]&ä"
FORMATS = {
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "time": "03:04:05Z",
    "uri": "https://example.com/x",
    "email": "a@example.com",
    "uuid": "9f1f7a3e-2f65-4c88-9d0e-1f6f6f0a4b11",
    "ipv4": "127.0.0.1",
    "binary": "Ynl0ZXM=",
    "repo.nwo": "octo/repo",
}
PATTERNS = [
    "a",
    "1",
    "1.2.3",
    "2026-01-02",
    "2026-01-02T03:04:05Z",
    "/a/b",
    "refs/heads/main",
    "0123456789abcdef0123456789abcdef01234567",
    "sha256:" + "0" * 64,
    "GHSA-2222-3333-4444",
    "octo/repo",
    "owner/repo",
    "https://example.com/x",
    "YWJjZA==",
    "a@example.com",
    "CVE-2026-12345",
    "ssh-ed25519 AAAA",
]


class Maker:
    """Makes values for the schemas of one document."""

    def __init__(self, document):
        self.document = document

    def resolved(self, node):
        """What a node is once its reference is followed, and `allOf` and a first alternative are merged in."""
        while "$ref" in node:
            target = self.document
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            node = target
        for key in ("oneOf", "anyOf"):
            if key in node:
                rest = {name: value for name, value in node.items() if name != key}
                others = {name for each in node[key][1:] for name in each.get("required", [])}
                others -= {*node[key][0].get("required", []), *rest.get("required", [])}
                properties = {name: inner for name, inner in rest.get("properties", {}).items() if name not in others}
                node = self.merged({**rest, "properties": properties}, node[key][0])
        if "allOf" in node:
            whole = {name: value for name, value in node.items() if name != "allOf"}
            for part in node["allOf"]:
                whole = self.merged(whole, part)
            node = whole
        return node

    def merged(self, one, other):
        other = self.resolved(other)
        result = {**one, **other}
        result["properties"] = {**one.get("properties", {}), **other.get("properties", {})}
        result["required"] = [*one.get("required", []), *other.get("required", [])]
        return {name: value for name, value in result.items() if value not in ({}, [])}

    def value(self, schema, everything, depth=0):
        """A value of the schema."""
        schema = self.resolved(schema)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return schema["enum"][-1 if everything else 0]
        kind = schema.get("type") or ("object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = next(each for each in kind if each != "null")
        return getattr(self, kind)(schema, everything, depth)

    def object(self, schema, everything, depth):
        required = set(schema.get("required", []))
        properties = schema.get("properties", {})
        chosen = {
            name
            for name, inner in properties.items()
            if name in required or (everything and depth < DEEP and not self.resolved(inner).get("readOnly"))
        }
        chosen |= set(list(properties)[: schema.get("minProperties", 0)])
        made = {name: self.value(properties[name], everything, depth + 1) for name in properties if name in chosen}
        extra = schema.get("additionalProperties")
        if everything and not properties and isinstance(extra, dict) and extra and depth < DEEP:
            made[KEY] = self.value(extra, everything, depth + 1)
        return made

    def array(self, schema, everything, depth):
        count = max(schema.get("minItems", 0), 2 if everything and depth < DEEP else 1)
        count = min(count, schema.get("maxItems", count))
        item = self.value(schema.get("items", {}), everything, depth + 1)
        if schema.get("uniqueItems") and count > 1:
            return [item]
        return [item] * count

    def string(self, schema, everything, depth):
        candidates = [FORMATS.get(schema.get("format"), TEXT if everything else "x"), *PATTERNS]
        if "format" not in schema and isinstance(schema.get("example"), str):
            candidates.insert(0, schema["example"])
        for text in candidates:
            text = text.ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength", 10_000)]
            if "pattern" not in schema or re.search(schema["pattern"], text):
                return text
        raise ValueError(f"no text for the pattern {schema['pattern']}")

    def integer(self, schema, everything, depth):
        return max(schema.get("minimum", 1), min(7, schema.get("maximum", 7)))

    def number(self, schema, everything, depth):
        return max(schema.get("minimum", 1.5), min(1.5, schema.get("maximum", 1.5)))

    def boolean(self, schema, everything, depth):
        return everything


def snake(name):
    """A parameter's name as a client sees it."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def public_name(place, name, offered):
    """What a client calls a parameter or a field: the longer name where two would be the same."""
    return next((each for each in (f"{place}_{snake(name)}", snake(name), name) if each in offered), None)


def flat(body, offered):
    """The fields of a body under the names that clients use."""
    missing = [name for name in body if not public_name("body", name, offered)]
    assert not missing, f"fields of the body are not offered: {missing}"
    return {public_name("body", name, offered): value for name, value in body.items()}
