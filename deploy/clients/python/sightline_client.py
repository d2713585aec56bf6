#!/usr/bin/env python3
"""A small Sightline client, written from schemas/PROTOCOL.md.

    python3 sightline_client.py search PICTURE
    python3 sightline_client.py calendar push ACCOUNT CALENDAR FILE.ics
    python3 sightline_client.py upcoming ACCOUNT
    python3 sightline_client.py submit SERVICE [BODY] [--job-key KEY]
    python3 sightline_client.py result ID [--wait SECONDS]
"""

import argparse
import hashlib
import json
import os
import sys
import time
import uuid
from dataclasses import dataclass

import zmq
import zmq.auth
import zmq.utils.monitor

from sightline_codec import (
    COMPLETE, DETACHED, FRAME_BYTES_MAX, WAIT, Message, WireError, decode)

ENDPOINT = "tcp://127.0.0.1:5570"
ROLES = {"picture": 1, "print": 2, "thumbnail": 3}


class Refused(Exception):
    """An ERROR of the server."""

    def __init__(self, message):
        self.code = message.text("errorCode")
        self.retry_after = message.number("retryAfter")
        self.body = message.body
        super().__init__(f"{self.code}: {message.text('errorText')}")


class NoServer(Exception):
    """Nobody answers at the endpoint."""


class KeyRefused(Exception):
    """The server does not let this side in, or is not the one that was expected."""


def read_key(path):
    """The key pair of a file that `sightline key new` wrote: (public, secret)."""
    mode = os.stat(path).st_mode & 0o777
    if mode & 0o077:
        raise ValueError(f"'{path}' can be read or changed by others (mode {mode:o}); chmod 600")
    public, secret = zmq.auth.load_certificate(path)
    if secret is None:
        raise ValueError(f"'{path}' holds no secret key; its file ends in .key_secret")
    return public, secret


def read_server_key(text):
    """A public key: 40 characters, or a file with it."""
    if os.path.exists(text):
        return zmq.auth.load_certificate(text)[0]
    if len(text) != 40:
        raise ValueError(f"'{text}' is neither a public key of 40 characters nor a file with one")
    return text.encode()


@dataclass
class Reply:
    items: list
    complete: bool
    missing: list
    position: tuple | None  # (epoch, sequence)
    layout: str | None
    continue_token: str | None
    continue_route: str | None
    attachments: dict  # by hash, in hexadecimal
    diagnostics: dict | None


@dataclass
class Stored:
    """A change that the journal has stored."""

    position: tuple  # (epoch, sequence)
    not_applied: list  # what of it is not applied: dicts with code, reason, and place, id or neither
    not_applied_total: int  # with those that are not listed

    def complaints(self):
        """What is not applied, a line each, for people."""
        for part in self.not_applied:
            entry = part.get("id") or (f"put[{part['place']}]" if "place" in part else "zone")
            yield f"{entry}: {part['code']}: {part['reason']}"
        if self.not_applied_total > len(self.not_applied):
            yield f"and {self.not_applied_total - len(self.not_applied)} more"


class Client:
    """One connection to a router. Not for use by several threads."""

    def __init__(self, endpoint=ENDPOINT, name="python", key=None, server_key=None):
        """With keys, `key` is the own pair and `server_key` the server's public key."""
        self.endpoint, self.name = endpoint, name
        self.identity = uuid.uuid4().bytes
        self.incarnation = 1  # one client object is one incarnation, however often it greets
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.MAXMSGSIZE, FRAME_BYTES_MAX)
        if key:
            self.socket.curve_publickey, self.socket.curve_secretkey = key
            self.socket.curve_serverkey = server_key
        self.has_key, self.closed_handshakes = key is not None, 0
        self.monitor = self.socket.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
            | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_SUCCEEDED)
        self.socket.connect(endpoint)
        self.welcome = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.welcome:
            self._send(Message("bye"))
            self.socket.setsockopt(zmq.LINGER, 100)
        self.socket.disable_monitor()
        self.socket.close()

    def hello(self, timeout=2.0):
        """Says who we are. Raises NoServer if no WELCOME comes."""
        message = Message("hello").add("identity", self.identity)
        message.add("incarnation", self.incarnation).add("pingInterval", 200)
        self._send(message.add("name", self.name))
        self.welcome = self._await(None, {"welcome"}, timeout)
        if self.welcome is None:
            raise NoServer(
                f"no Sightline router answers at {self.endpoint}; start one with: sightline serve")

    def request(self, service, body, attachments=(), budget=2000, **fields):
        """Asks a service; `fields` by their names, such as limit=10. Returns a Reply."""
        message = self._message("request", body, attachments, budget, fields)
        message.add("service", service)
        return self._reply(message)

    def submit(self, service, body, attachments=(), budget=60_000, key=None, **fields):
        """Hands a request over, to be computed when there is room. Returns its id.

        `budget` is the time that computing it may take, once begun. The same again under the same
        `key` is the same request and runs once.
        """
        message = self._message("request", body, attachments, budget, fields)
        message.add("service", service)
        message.flags |= DETACHED
        if key is not None:
            message.add("jobKey", key)
        return self._reply(message).items[0]["job"]

    def result(self, job, wait=0.0):
        """The result of a request that was submitted, a Reply.

        Raises Refused: with JOB_UNFINISHED if it still waits or runs after `wait` seconds, with
        NOT_FOUND if the router does not have it, and with what the request itself ended with.
        """
        end = time.monotonic() + wait
        while True:
            left = max(0.0, end - time.monotonic())
            budget = min(60_000, max(1, round(left * 1000))) if wait else 2000
            message = self._message("request", {}, (), budget, {"job": bytes.fromhex(job)})
            message.add("service", "job.result")
            if wait:
                message.flags |= WAIT
            try:
                return self._reply(message)
            except Refused as refused:
                if refused.code != "JOB_UNFINISHED" or end - time.monotonic() < 0.01:
                    raise

    def drop(self, job):
        """Forgets a request that was submitted, and stops it if it runs."""
        message = self._message("request", {}, (), 2000, {"job": bytes.fromhex(job)})
        self._reply(message.add("service", "job.drop"))

    def _reply(self, message):
        final = self._exchange(message, "final")
        return Reply(
            json.loads(final.body), bool(final.flags & COMPLETE),
            [part.decode() for part in final.all("missing")], _position(final.get("position")),
            {0: "grid", 1: "single"}.get(final.number("layout")),
            (final.get("continueToken") or b"").hex() or None, final.text("continueRoute"),
            dict(zip(_hashes(final), final.attachments)),
            json.loads(final.diagnostics) if final.diagnostics else None)

    def record(self, kind, body, blobs=(), budget=10_000, change_id=None, source=None, **fields):
        """Makes a change; `blobs` are (role, bytes). Returns a Stored once it is durable.

        Sent again with the same source and change id, it is not applied twice.
        """
        attachments = [data for _, data in blobs]
        message = self._message("record", body, attachments, budget, fields)
        message.add("recordKind", kind).add("source", source or self.name)
        message.add("changeID", change_id or str(uuid.uuid4()))
        message.add("producerTime", time.time_ns() // 1_000_000)
        for role, data in blobs:
            message.add("blob", bytes([ROLES[role]]) + hashlib.sha256(data).digest())
        ack = self._exchange(message, "ack")
        answer = json.loads(ack.body) if ack.body else {}
        parts = answer.get("notApplied", [])
        return Stored(
            _position(ack.get("position")), parts, answer.get("total", len(parts)))

    def _message(self, command, body, attachments, budget, fields):
        message = Message(command, uuid.uuid4().bytes, budget, body=_json(body))
        message.attachments = list(attachments)
        for name, value in fields.items():
            if value is not None:
                message.add(name, value)
        if attachments:
            digests = b"".join(hashlib.sha256(data).digest() for data in attachments)
            message.add("attachments", digests)
        return message

    def _exchange(self, message, answer):
        if self.welcome is None:
            self.hello()
        for attempt in range(2):
            self._send(message)
            # The router answers at the deadline at the latest; the second more is for the way.
            reply = self._await(message.request_id, {answer, "error"}, message.budget / 1000 + 1)
            if reply is None:
                raise NoServer(f"the router at {self.endpoint} does not answer any more")
            if reply.command != "error":
                return reply
            if attempt or reply.text("errorCode") != "WRONG_STATE":
                raise Refused(reply)
            self.hello()  # the router was started again or forgot us while we were silent

    def _send(self, message):
        self.socket.send_multipart(message.frames())

    def _await(self, request_id, commands, timeout):
        """The next message with one of the commands for the request (None: for any).

        None after the timeout.
        """
        end = time.monotonic() + timeout
        poller = zmq.Poller()
        poller.register(self.socket, zmq.POLLIN)
        poller.register(self.monitor, zmq.POLLIN)
        while (left := end - time.monotonic()) > 0:
            ready = dict(poller.poll(left * 1000))
            if self.monitor in ready:
                self._look_at_handshake(zmq.utils.monitor.recv_monitor_message(self.monitor))
            if self.socket not in ready:
                continue
            try:
                message = decode(self.socket.recv_multipart())
            except WireError as error:
                print(f"ignored: {error}", file=sys.stderr)
                continue
            if message.command == "ping":
                self._send(Message("pong", message.request_id))
            elif message.command == "error" and message.text("errorCode") == "KEY_REFUSED":
                raise KeyRefused(message.text("errorText"))
            elif message.command == "error" and not any(message.request_id):
                raise Refused(message)  # of the connection, not of one request
            elif message.command in commands and request_id in (None, message.request_id):
                return message
        return None


    def _look_at_handshake(self, event):
        """Raises KeyRefused if the server does not let us in; libzmq itself says nothing."""
        kind = event["event"]
        if kind == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self.closed_handshakes = 0
        elif kind == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            raise KeyRefused(f"{self.endpoint} does not allow this client's key")
        elif kind == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
            raise KeyRefused(
                f"{self.endpoint} has no keys, or other ones" if self.has_key else
                f"{self.endpoint} lets in only those with an allowed key: --key, --server-key")
        elif kind == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
            # A server closes without a word if it cannot read what was meant for another one, or
            # sees first that we have no keys; once may be a server that was stopped meanwhile.
            self.closed_handshakes += 1
            if self.closed_handshakes >= 3:
                raise KeyRefused(
                    f"{self.endpoint} has another key than --server-key says, or none"
                    if self.has_key else
                    f"{self.endpoint} lets in only those with an allowed key: --key, --server-key")


def _json(value):
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _position(value):
    if value is None:
        return None
    return int.from_bytes(value[:8], "big"), int.from_bytes(value[8:], "big")


def _hashes(message):
    data = message.get("attachments") or b""
    return [data[at:at + 32].hex() for at in range(0, len(data), 32)]


# The command


def search(client, arguments):
    with open(arguments.picture, "rb") as file:
        picture = file.read()
    body = {"picture": hashlib.sha256(picture).hexdigest()}
    if arguments.max_distance is not None:
        body["maxDistance"] = round(arguments.max_distance * 1_000_000)
    if arguments.type:
        body["types"] = arguments.type
    if arguments.label:
        body["labels"] = arguments.label
    if arguments.near:
        latitude, longitude = map(float, arguments.near.split(","))
        body["near"] = {"latitude": latitude, "longitude": longitude}
    if arguments.region:
        body["region"] = [int(number) for number in arguments.region.split(",")]
    reply = client.request(
        "image.search", body, [picture], arguments.deadline, limit=arguments.limit,
        catalog=arguments.catalog, account=arguments.account)
    if arguments.json:
        print(json.dumps(reply.items, ensure_ascii=False, indent=2))
        return
    for item in reply.items:
        distance = f"{item['distance'] / 1e6:.3f}" if "distance" in item else "     "
        title = item["display"]["title"]
        print(f"{distance}  {item['type']:10}  {title:36}  {item['route']}")
    if not reply.items:
        print("no match")
    if not reply.complete:
        print(f"incomplete; missing: {', '.join(reply.missing) or 'unknown'}", file=sys.stderr)
    if reply.continue_route:
        print(f"continue: {reply.continue_route}")


def calendar_push(client, arguments):
    with open(arguments.file, encoding="utf-8", newline="") as file:
        text = file.read()
    revision = arguments.revision
    if revision is None:
        revision = time.time_ns() // 1_000_000
    body = {
        "calendar": arguments.calendar, "revision": revision, "zone": arguments.zone,
        "reset": arguments.reset, "put": [{"ics": text}]}
    _told(client.record("calendar.change", body, account=arguments.account))


def calendar_access(client, arguments):
    body = {"status": arguments.status}
    _told(client.record("calendar.access", body, account=arguments.account))


def _told(stored):
    for complaint in stored.complaints():
        print(f"not applied: {complaint}", file=sys.stderr)
    epoch, sequence = stored.position
    print(f"stored at {epoch:x}/{sequence}")


def upcoming(client, arguments):
    reply = client.request(
        "calendar.upcoming", {"days": arguments.days}, account=arguments.account)
    for item in reply.items:
        start = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(item["start"] / 1000))
        print(f"{start}  {item['title']}")
        for match in item["matches"]:
            for entity in match["entities"]:
                print(f"    {match['name']}: {entity['title']}  {entity['route']}")
    if not reply.items:
        print("no events")


def submit(client, arguments):
    print(client.submit(
        arguments.service, json.loads(arguments.body), budget=arguments.budget,
        key=arguments.job_key, account=arguments.account, limit=arguments.limit))


def result(client, arguments):
    if arguments.drop:
        client.drop(arguments.id)
        return print("dropped")
    for item in client.result(arguments.id, arguments.wait).items:
        print(json.dumps(item, ensure_ascii=False))


def open_entity(client, arguments):
    reply = client.request("intent.open", {"type": arguments.type, "id": arguments.id})
    print(reply.items[0]["route"])


def arguments_parser():
    parser = argparse.ArgumentParser(description="Sightline client")
    parser.add_argument(
        "--connect", default=os.environ.get("SIGHTLINE_CONNECT", ENDPOINT), metavar="ENDPOINT")
    parser.add_argument(
        "--key", default=os.environ.get("SIGHTLINE_KEY"), metavar="FILE",
        help="the own key pair, which 'sightline key new' writes")
    parser.add_argument(
        "--server-key", default=os.environ.get("SIGHTLINE_SERVER_KEY"), metavar="KEY",
        help="the server's public key, or a file with it")
    commands = parser.add_subparsers(required=True)

    command = commands.add_parser("search", help="search with a picture and print the routes")
    command.add_argument("picture")
    command.add_argument("--limit", type=int)
    command.add_argument("--max-distance", type=float, help="0 to 2")
    command.add_argument("--type", action="append", help="an entity type wanted; may be repeated")
    command.add_argument("--label", action="append")
    command.add_argument("--near", metavar="LAT,LON")
    command.add_argument("--region", metavar="X,Y,WIDTH,HEIGHT")
    command.add_argument("--catalog")
    command.add_argument("--account")
    command.add_argument("--deadline", type=int, default=2000, help="milliseconds")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=search)

    calendar = commands.add_parser("calendar", help="change calendars").add_subparsers(
        required=True)
    command = calendar.add_parser("push", help="put an iCalendar file into a calendar")
    command.add_argument("account")
    command.add_argument("calendar")
    command.add_argument("file")
    command.add_argument("--revision", type=int, help="default: milliseconds of now")
    command.add_argument("--zone", default="UTC")
    command.add_argument("--reset", action="store_true")
    command.set_defaults(run=calendar_push)
    command = calendar.add_parser("access", help="say what an account's owner allows")
    command.add_argument("account")
    command.add_argument("status")
    command.set_defaults(run=calendar_access)

    command = commands.add_parser("upcoming", help="events whose titles name an artist")
    command.add_argument("account")
    command.add_argument("--days", type=int, default=90)
    command.set_defaults(run=upcoming)

    command = commands.add_parser("submit", help="hand a request over and print its id")
    command.add_argument("service")
    command.add_argument("body", nargs="?", default="{}", help="JSON")
    command.add_argument("--job-key", help="the same again is the same request")
    command.add_argument("--account")
    command.add_argument("--limit", type=int)
    command.add_argument("--budget", type=int, default=60_000, help="milliseconds")
    command.set_defaults(run=submit)

    command = commands.add_parser("result", help="fetch the result of what was submitted")
    command.add_argument("id")
    command.add_argument("--wait", type=float, default=0.0, metavar="SECONDS")
    command.add_argument("--drop", action="store_true", help="forget it instead")
    command.set_defaults(run=result)

    command = commands.add_parser("open", help="the route of an entity")
    command.add_argument("type")
    command.add_argument("id")
    command.set_defaults(run=open_entity)
    return parser


def main():
    arguments = arguments_parser().parse_args()
    try:
        if bool(arguments.key) != bool(arguments.server_key):
            raise ValueError("--key and --server-key go together")
        keys = {}
        if arguments.key:
            keys["key"] = read_key(arguments.key)
            keys["server_key"] = read_server_key(arguments.server_key)
        with Client(arguments.connect, **keys) as client:
            client.hello()
            arguments.run(client, arguments)
    except (Refused, NoServer, KeyRefused, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
