#!/usr/bin/env python3
"""Checks the schemas, their examples and the AsyncAPI document; needs jsonschema."""

import json
import pathlib
import re
import sys

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

ROOT = pathlib.Path(__file__).resolve().parent
BASE = "file:///"  # only a name; nothing is read there
SUFFIX = ".schema.json"
failures = []


def fail(text):
    failures.append(text)


def load(path):
    """A JSON file; member names must not stand twice."""

    def unique(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            fail(f"{path.relative_to(ROOT)}: a member stands twice")
        return dict(pairs)

    return json.loads(path.read_text(), object_pairs_hook=unique)


def references(value):
    """Every $ref in a document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for element in value:
            yield from references(element)


def resolve(documents, place, reference):
    """What a reference in the document at a place names; None if nothing."""
    path, _, pointer = reference.partition("#")
    target = (ROOT / place).parent / path if path else ROOT / place
    try:
        name = target.resolve().relative_to(ROOT).as_posix()
        value = documents[name]
    except (ValueError, KeyError):
        return None
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError):
            return None
    return value


def check_examples(registry, bodies):
    """Each schema is one, has valid and invalid examples, and they are what they are called."""
    count = 0
    for name in bodies:
        uri = f"{BASE}bodies/{name}{SUFFIX}"
        Draft202012Validator.check_schema(registry.contents(uri))
        validator = Draft202012Validator({"$ref": uri}, registry=registry)
        folder = ROOT / "examples" / name
        for kind in ("valid", "invalid"):
            files = sorted(folder.glob(f"{kind}-*.json"))
            if not files:
                fail(f"examples/{name}: no {kind} example")
            for file in files:
                count += 1
                if validator.is_valid(load(file)) != (kind == "valid"):
                    errors = [error.message for error in validator.iter_errors(load(file))]
                    fail(f"examples/{name}/{file.name}: {errors or 'is valid'}")
    for folder in (ROOT / "examples").iterdir():
        if folder.name not in bodies:
            fail(f"examples/{folder.name}: no such schema")
    return count


def table(specification, heading, column):
    """A column of the first table behind a heading of the specification, without its head."""
    section = specification.split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE).group().splitlines()[2:]
    return [row.split("|")[column + 1].strip() for row in rows]


def once(what, found, expected):
    """Each expected name stands exactly once, and no other."""
    for name in sorted(set(found) | set(expected)):
        if found.count(name) != (name in expected):
            fail(f"asyncapi.json: {what} {name} stands {found.count(name)} times")


def check_asyncapi(documents, bodies):
    document = documents["asyncapi.json"]
    specification = (ROOT / "PROTOCOL.md").read_text()
    if not document["asyncapi"].startswith("3."):
        fail("asyncapi.json: not AsyncAPI 3")
    messages = document["components"]["messages"]
    commands = dict(zip(
        table(specification, "## 4. Commands", 1), table(specification, "## 4. Commands", 0)))
    once("command", [message["name"] for message in messages.values()], list(commands))
    for message in messages.values():
        if commands.get(message["name"]) != f"0x{message['x-command']:02X}":
            fail(f"asyncapi.json: {message['name']} has another code than PROTOCOL.md")
    fields = table(specification, "## 3. Fields", 1)
    for message in messages.values():
        for name in message["headers"]["properties"]:
            if name not in fields:
                fail(f"asyncapi.json: {message['name']} has an unknown field {name}")
    named = [r for r in references(document) if r.startswith("bodies/")]
    once("schema", named, [f"bodies/{name}{SUFFIX}" for name in bodies])
    check_use(document, messages)


def check_use(document, messages):
    """Every message is on a channel and in an operation; every body is in a message."""
    on_channels, in_operations = set(), set()
    for channel in document["channels"].values():
        on_channels |= {m["$ref"].rsplit("/", 1)[1] for m in channel["messages"].values()}
    for operation in document["operations"].values():
        channel = operation["channel"]["$ref"]
        for message in operation["messages"] + operation.get("reply", {}).get("messages", []):
            if not message["$ref"].startswith(f"{channel}/messages/"):
                fail(f"asyncapi.json: {message['$ref']} is not on the operation's channel")
            in_operations.add(message["$ref"].rsplit("/", 1)[1])
    for name in messages:
        if name not in on_channels or name not in in_operations:
            fail(f"asyncapi.json: {name} is on no channel or in no operation")
    used = set(references(messages))
    for name in document["components"]["schemas"]:
        if not any(r.split("/")[3:4] == [name] for r in used):
            fail(f"asyncapi.json: no message uses the schema {name}")


def main():
    documents = {
        path.relative_to(ROOT).as_posix(): load(path)
        for path in [*ROOT.glob("*.json"), *ROOT.glob("bodies/*.json")]}
    bodies = sorted(
        name[len("bodies/"):-len(SUFFIX)] for name in documents if name.startswith("bodies/"))
    for place, document in documents.items():
        for reference in references(document):
            if resolve(documents, place, reference) is None:
                fail(f"{place}: {reference} names nothing")
    if not failures:
        registry = Registry().with_resources(
            (BASE + name, Resource.from_contents(document, default_specification=DRAFT202012))
            for name, document in documents.items() if name != "asyncapi.json")
        count = check_examples(registry, bodies)
        check_asyncapi(documents, bodies)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    print(f"{len(bodies)} schemas, {count} examples, {len(documents)} documents: all right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
