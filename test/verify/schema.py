"""The part of JSON Schema that our schemas use: enough to compare a document with one."""
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int, "number": (int, float)}


def has_type(name, value):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def problems(schema, value, place="", root=None):
    """A text for each place where `value` does not follow `schema`."""
    root = root or schema
    if "$ref" in schema:
        return problems(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, place, root)
    if "const" in schema and value != schema["const"]:
        return [f"{place}: expected {schema['const']!r}, got {value!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place}: expected one of {schema['enum']}, got {value!r}"]
    if "oneOf" in schema and sum(not problems(one, value, place, root) for one in schema["oneOf"]) != 1:
        return [f"{place}: expected one of {schema['oneOf']}"]
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(has_type(name, value) for name in names):
        return [f"{place}: expected {names}, got {value!r}"]
    found = []
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{place}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, entry in value.items():
            other = schema.get("additionalProperties", True)
            if key in known or isinstance(other, dict):
                found += problems(known.get(key, other), entry, f"{place}/{key}", root)
            elif other is False:
                found.append(f"{place}: {key} is not known")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            found.append(f"{place}: too few entries")
        for number, entry in enumerate(value):
            found += problems(schema.get("items", {}), entry, f"{place}/{number}", root)
    return found
