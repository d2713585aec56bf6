#!/usr/bin/env python3
"""Runs the codec over schemas/vectors: each valid one both ways, each invalid one refused."""

import json
import pathlib
import unittest

import sightline_codec as codec

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "schemas" / "vectors"
INDEX = json.loads((VECTORS / "index.json").read_text())


def frames(name):
    """The frames of a vector: one a line, in tokens `HH…` or `HH…*COUNT`; `-` is an empty one."""
    result = []
    for line in (VECTORS / name).read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        frame = b""
        for token in line.split():
            if token != "-":
                digits, _, count = token.partition("*")
                frame += bytes.fromhex(digits) * int(count or 1)
        result.append(frame)
    return result


def decode_whole(parts):
    """A message and what its command says that it carries."""
    message = codec.decode(parts)
    items = records = None
    if message.command in ("partial", "final") and message.get("items") is not None:
        items = codec.decode_items(message.get("items"), message.body)
    if message.command == "tail":
        records = codec.decode_records(message.body)
    return message, items, records


def listed(fields):
    return [(entry["type"], bytes.fromhex(entry["value"])) for entry in fields]


class Vectors(unittest.TestCase):
    def test_every_file_is_listed_once(self):
        names = [entry["file"] for kind in ("valid", "invalid") for entry in INDEX[kind]]
        files = [str(path.relative_to(VECTORS)) for path in VECTORS.glob("*/*.hex")]
        self.assertEqual(sorted(names), sorted(files))

    def test_valid(self):
        for entry in INDEX["valid"]:
            with self.subTest(entry["file"]):
                self.check_valid(entry, frames(entry["file"]))

    def check_valid(self, entry, parts):
        message, items, records = decode_whole(parts)
        self.assertEqual(message.command, entry["command"])
        self.assertEqual(message.flags, entry["flags"])
        self.assertEqual(message.priority, entry["priority"])
        self.assertEqual(message.attempt, entry["attempt"])
        self.assertEqual(message.budget, entry["budgetMilliseconds"])
        self.assertEqual(message.request_id.hex(), entry["requestID"])
        self.assertEqual(message.fields, listed(entry["fields"]))
        self.assertEqual(len(message.body), entry["bodyBytes"])
        self.assertEqual([len(data) for data in message.attachments], entry["attachmentBytes"])
        size = None if message.diagnostics is None else len(message.diagnostics)
        self.assertEqual(size, entry["diagnosticsBytes"])
        self.assertEqual(message.frames(), parts)  # the minor version is kept here
        self.assertEqual(items is None, "items" not in entry)
        if items is not None:
            expected = [
                (bytes.fromhex(item["sortKey"]), bytes.fromhex(item["unionKey"]),
                 bytes.fromhex(item["parentKey"]), item["json"].encode(),
                 [bytes.fromhex(digits) for digits in item["attachments"]])
                for item in entry["items"]]
            self.assertEqual(items, expected)
            if entry.get("itemsReencode", True):
                pair = (message.get("items"), message.body)
                self.assertEqual(codec.encode_items(items), pair)
        self.assertEqual(records is None, "records" not in entry)
        if records is not None:
            expected = [(listed(r["fields"]), r["body"].encode()) for r in entry["records"]]
            self.assertEqual(records, expected)
            self.assertEqual(codec.encode_records(records), message.body)

    def test_invalid(self):
        for entry in INDEX["invalid"]:
            with self.subTest(entry["file"]):
                with self.assertRaises(codec.WireError) as caught:
                    decode_whole(frames(entry["file"]))
                self.assertEqual(caught.exception.code, entry["error"])

    def test_field_names(self):
        for entry in INDEX["valid"]:
            for field in entry["fields"]:
                if "name" in field:
                    self.assertEqual(codec.FIELDS[field["name"]][0], field["type"])


if __name__ == "__main__":
    unittest.main()
