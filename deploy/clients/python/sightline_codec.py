"""Messages to frames and back, as schemas/PROTOCOL.md describes them."""

import struct
from dataclasses import dataclass, field

MAGIC = b"SLTN"
MAJOR, MINOR = 1, 0
HEADER = struct.Struct(">4s6BHI16s")

COMMANDS = {
    "hello": 0x01, "welcome": 0x02, "ready": 0x03, "request": 0x04, "partial": 0x05,
    "final": 0x06, "error": 0x07, "cancel": 0x08, "ping": 0x09, "pong": 0x0A,
    "draining": 0x0B, "bye": 0x0C, "record": 0x10, "ack": 0x11, "subscribe": 0x20, "tail": 0x21,
    "fetch": 0x22, "chunk": 0x23, "keys": 0x24, "keyring": 0x25, "notify": 0x30,
}
COMMAND_NAMES = {code: name for name, code in COMMANDS.items()}

# Name: (type, form). Forms: text, offer, items, or a number of bytes ("32*": a multiple of it).
FIELDS = {
    "service": (1, "text"), "catalog": (2, "text"), "limit": (3, 4), "layout": (4, "layout"),
    "fairnessKey": (5, "text"), "asOf": (6, 8), "position": (7, 16), "leastPosition": (8, 16),
    "traceparent": (9, "text"), "printVersion": (10, "text"), "identity": (11, 16),
    "incarnation": (12, 8), "credit": (13, 4), "offer": (14, "offer"), "items": (15, "items"),
    "attachments": (16, "32*"), "missing": (17, "text"), "errorCode": (18, "text"),
    "errorText": (19, "text"), "retryAfter": (20, 4), "continueToken": (21, 32),
    "pingInterval": (22, 4), "name": (23, "text"), "stream": (24, "text"), "source": (25, "text"),
    "changeID": (26, "text"), "account": (27, "text"), "keyID": (28, 16),
    "partitionKey": (29, "text"), "recordKind": (30, "text"), "producerTime": (31, 8),
    "recordedTime": (32, 8), "blob": (33, "blob"), "partsTotal": (34, 4),
    "partsAnswered": (35, 4), "continueRoute": (36, "text"), "part": (37, "text"),
    "stages": (38, "text"), "snapshot": (39, 32), "chunk": (40, 4), "chunksTotal": (41, 4),
    "chunkHash": (42, 16), "accountKey": (43, "accountKey"), "retiresKey": (44, 16),
    "nextPage": (45, "text"), "holdsUntil": (46, 8), "listHash": (47, 32),
    "leastShare": (52, 4), "preparedQuery": (53, 32),
    "job": (54, 16), "jobKey": (55, "text"), "checked": (56, 8),
}
FORMS = dict(FIELDS.values())

COMPLETE, DIAGNOSTICS, WAIT, DETACHED = 1, 2, 4, 8
PRIORITY_DEFAULT, PRIORITY_MAX = 4, 9
FRAME_BYTES_MAX, MESSAGE_BYTES_MAX, FRAMES_MAX = 32 << 20, 64 << 20, 256
FIELDS_MAX, NAME_BYTES_MAX, RESULTS_MAX = 1024, 1024, 10_000


class WireError(Exception):
    """Bytes that are no message; `code` is one of the codes of the specification."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code


@dataclass
class Message:
    command: str
    request_id: bytes = bytes(16)
    budget: int = 0
    flags: int = 0
    priority: int = PRIORITY_DEFAULT
    attempt: int = 1
    fields: list = field(default_factory=list)  # (type, value), in ascending order of type
    body: bytes = b""
    attachments: list = field(default_factory=list)
    diagnostics: bytes | None = None
    minor: int = MINOR

    def add(self, name, value):
        """Adds a field behind those of the same type; text, bytes and whole numbers."""
        kind, form = FIELDS[name]
        if isinstance(value, str):
            value = value.encode()
        elif isinstance(value, int):
            value = value.to_bytes(1 if form == "layout" else form, "big", signed=value < 0)
        self.fields.append((kind, value))
        self.fields.sort(key=lambda entry: entry[0])  # stable: the order within a type stays
        return self

    def all(self, name):
        return [value for kind, value in self.fields if kind == FIELDS[name][0]]

    def get(self, name):
        return next(iter(self.all(name)), None)

    def text(self, name):
        value = self.get(name)
        return None if value is None else value.decode()

    def number(self, name):
        value = self.get(name)
        return None if value is None else int.from_bytes(value, "big")

    def frames(self):
        flags = self.flags & ~DIAGNOSTICS | (0 if self.diagnostics is None else DIAGNOSTICS)
        head = HEADER.pack(
            MAGIC, MAJOR, self.minor, COMMANDS[self.command], flags, self.priority, self.attempt,
            len(self.attachments), self.budget, self.request_id)
        tail = [] if self.diagnostics is None else [self.diagnostics]
        return [head + encode_fields(self.fields), self.body, *self.attachments, *tail]


def decode(frames):
    """The message of some frames. Raises WireError for anything else."""
    if not frames:
        raise WireError("noFrame", "a message has at least two frames")
    if len(frames) > FRAMES_MAX:
        raise WireError("tooManyFrames", f"{len(frames)} frames")
    if max(map(len, frames)) > FRAME_BYTES_MAX:
        raise WireError("frameTooLarge", f"more than {FRAME_BYTES_MAX} bytes")
    if sum(map(len, frames)) > MESSAGE_BYTES_MAX:
        raise WireError("messageTooLarge", f"more than {MESSAGE_BYTES_MAX} bytes")
    first = frames[0]
    if len(first) < HEADER.size:
        raise WireError("shortHeader", f"{len(first)} bytes")
    (magic, major, minor, command, flags, priority, attempt, count, budget,
     request_id) = HEADER.unpack_from(first)
    if magic != MAGIC:
        raise WireError("badMagic", "no Sightline message")
    if major != MAJOR:
        raise WireError("unsupportedVersion", f"major version {major}")
    if command not in COMMAND_NAMES:
        raise WireError("unknownCommand", f"command {command}")
    if priority > PRIORITY_MAX:
        raise WireError("badPriority", f"priority {priority}")
    has_diagnostics = bool(flags & DIAGNOSTICS)
    if len(frames) != 2 + count + has_diagnostics:
        raise WireError("frameCount", f"{len(frames)} frames")
    fields = decode_fields(first[HEADER.size:])
    message = Message(
        COMMAND_NAMES[command], request_id, budget, flags, priority, attempt, fields, frames[1],
        list(frames[2:2 + count]), frames[-1] if has_diagnostics else None, minor)
    if len(message.get("attachments") or b"") != 32 * count:
        raise WireError("badField", "the attachments field does not fit the frames")
    return message


def encode_fields(fields):
    return b"".join(struct.pack(">HI", kind, len(value)) + value for kind, value in fields)


def decode_fields(data):
    fields, at, last = [], 0, 0
    while at < len(data):
        if at + 6 > len(data):
            raise WireError("truncatedField", f"field {len(fields)} ends early")
        kind, length = struct.unpack_from(">HI", data, at)
        at += 6
        if at + length > len(data):
            raise WireError("truncatedField", f"field {len(fields)} ends early")
        if kind < last:
            raise WireError("fieldOrder", f"type {kind} stands behind {last}")
        if len(fields) == FIELDS_MAX:
            raise WireError("tooManyFields", f"more than {FIELDS_MAX}")
        value = data[at:at + length]
        if kind in FORMS and not fits(FORMS[kind], value):
            raise WireError("badField", f"field {kind} has a value of the wrong form")
        fields.append((kind, value))
        at, last = at + length, kind
    return fields


def fits(form, value):
    """Whether a value has the form of its field."""
    if form == "items":
        return True
    if form == "layout":
        return value in (b"\0", b"\1")
    if form == "32*":
        return len(value) % 32 == 0
    if form == "blob":
        return len(value) == 33
    if isinstance(form, int):
        return len(value) == form
    if form == "accountKey":
        account, zero, store = value[48:].partition(b"\0")
        return (len(value) > 48 and 0 < len(account) <= NAME_BYTES_MAX and is_text(account)
                and (not zero or store in (b"contacts", b"health")))
    if len(value) > NAME_BYTES_MAX:
        return False
    if form == "offer":
        if len(value) < 3 or not 0 < value[1] <= len(value) - 2:
            return False
        return is_text(value[2:2 + value[1]]) and is_text(value[2 + value[1]:])
    return is_text(value)


def is_text(value):
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Reader:
    def __init__(self, data, code):
        self.data, self.at, self.code = data, 0, code

    def take(self, count):
        if self.at + count > len(self.data):
            raise WireError(self.code, "ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, width):
        return int.from_bytes(self.take(width), "big")

    def rest(self):
        return len(self.data) - self.at


def decode_items(data, body):
    """The item list of a PARTIAL or FINAL from a worker: (sort, union, parent, JSON, hashes)."""
    reader, items = _Reader(data, "badItems"), []
    while reader.rest():
        if len(items) == RESULTS_MAX:
            raise WireError("badItems", f"more than {RESULTS_MAX} items")
        keys = [reader.take(reader.number(2)) for _ in range(3)]
        offset, length = reader.number(4), reader.number(4)
        hashes = [reader.take(32) for _ in range(reader.number(1))]
        if offset + length > len(body):
            raise WireError("badItems", "an item does not fit its body")
        items.append((*keys, body[offset:offset + length], hashes))
    return items


def encode_items(items):
    """The item list and the body that belongs to it: a JSON array, empty without items."""
    data, body = b"", b""
    for sort, union, parent, text, hashes in items:
        body += b"," if body else b"["
        for key in (sort, union, parent):
            data += struct.pack(">H", len(key)) + key
        data += struct.pack(">IIB", len(body), len(text), len(hashes)) + b"".join(hashes)
        body += text
    return data, body + b"]" if items else b""


def decode_records(data):
    """The records of a TAIL's body: (fields, body)."""
    reader, records = _Reader(data, "badRecord"), []
    while reader.rest():
        inner = _Reader(reader.take(reader.number(4)), "badRecord")
        fields = decode_fields(inner.take(inner.number(4)))
        records.append((fields, inner.take(inner.rest())))
    return records


def encode_records(records):
    data = b""
    for fields, body in records:
        head = encode_fields(fields)
        data += struct.pack(">II", 4 + len(head) + len(body), len(head)) + head + body
    return data
