#!/usr/bin/env python3
"""The client against a scripted router on a real socket."""

import hashlib
import json
import threading
import unittest

import zmq

from sightline_client import Client, NoServer, Refused
from sightline_codec import COMPLETE, DETACHED, WAIT, Message, decode


class ScriptedRouter(threading.Thread):
    """Answers each message with what a function makes of it; keeps what it has read."""

    def __init__(self, script):
        super().__init__(daemon=True)
        self.script, self.seen = script, []
        self.socket = zmq.Context.instance().socket(zmq.ROUTER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.endpoint = f"tcp://127.0.0.1:{self.socket.bind_to_random_port('tcp://127.0.0.1')}"
        self.start()

    def run(self):
        while True:
            route, *frames = self.socket.recv_multipart()
            message = decode(frames)
            self.seen.append(message)
            if message.command == "bye":
                self.socket.close()
                return
            answers = [welcome()] if message.command == "hello" else self.script(message)
            for answer in answers:
                self.socket.send_multipart([route, *answer.frames()])


def welcome():
    return Message("welcome").add("identity", bytes(16)).add("incarnation", 1)


def error(message, code):
    return Message("error", message.request_id).add("errorCode", code).add("errorText", "because")


class ClientTest(unittest.TestCase):
    def run_with(self, script, use):
        router = ScriptedRouter(script)
        with Client(router.endpoint) as client:
            result = use(client)
        router.join(5)
        self.assertFalse(router.is_alive())
        return result, router.seen

    def test_search_returns_items_and_attachments(self):
        picture, thumbnail = b"picture", b"thumbnail"
        items = [{"type": "album", "id": "1", "route": "sightline://album/1"}]

        def script(message):
            if message.command == "pong":
                return []
            late = Message("final", bytes(16), flags=COMPLETE, body=b"[]")
            final = Message("final", message.request_id, flags=COMPLETE)
            final.body, final.attachments = json.dumps(items).encode(), [thumbnail]
            final.add("attachments", hashlib.sha256(thumbnail).digest()).add("layout", 1)
            final.add("position", (7).to_bytes(8, "big") + (9).to_bytes(8, "big"))
            return [Message("ping"), late, final]

        def use(client):
            body = {"picture": hashlib.sha256(picture).hexdigest()}
            return client.request("image.search", body, [picture], limit=3)

        reply, seen = self.run_with(script, use)
        self.assertEqual(reply.items, items)
        self.assertTrue(reply.complete)
        self.assertEqual((reply.position, reply.layout), ((7, 9), "single"))
        self.assertEqual(reply.attachments, {hashlib.sha256(thumbnail).hexdigest(): thumbnail})
        self.assertEqual([m.command for m in seen], ["hello", "request", "pong", "bye"])
        request = seen[1]
        self.assertEqual(request.text("service"), "image.search")
        self.assertEqual((request.number("limit"), request.budget), (3, 2000))
        self.assertEqual(request.attachments, [picture])

    def test_submitted_request_is_fetched_by_its_id(self):
        job = "5e1f00112233445566778899aabbcc01"
        asked = []

        def script(message):
            if message.text("service") == "entity.list":
                final = Message("final", message.request_id, flags=COMPLETE)
                final.body = json.dumps([{"job": job, "state": "waiting"}]).encode()
                return [final.add("job", bytes.fromhex(job))]
            asked.append(message)
            if len(asked) == 1:
                return [error(message, "JOB_UNFINISHED")]
            return [Message("final", message.request_id, flags=COMPLETE, body=b'[{"id": "1"}]')]

        def use(client):
            name = client.submit("entity.list", {"type": "album"}, key="nightly", limit=5)
            return name, client.result(name, wait=5).items

        (name, items), seen = self.run_with(script, use)
        self.assertEqual((name, items), (job, [{"id": "1"}]))
        submitted = next(m for m in seen if m.text("service") == "entity.list")
        self.assertEqual(submitted.flags, DETACHED)
        self.assertEqual((submitted.text("jobKey"), submitted.budget), ("nightly", 60_000))
        self.assertEqual([m.flags for m in asked], [WAIT, WAIT])
        self.assertEqual(asked[0].get("job").hex(), job)

    def test_record_returns_its_position(self):
        def script(message):
            return [Message("ack", message.request_id).add("position", bytes(15) + b"\5")]

        def use(client):
            return client.record(
                "calendar.access", {"status": "fullAccess"}, account="anna", change_id="1")

        stored, seen = self.run_with(script, use)
        self.assertEqual((stored.position, stored.not_applied), ((0, 5), []))
        self.assertEqual(list(stored.complaints()), [])
        record = seen[1]
        self.assertEqual(record.text("recordKind"), "calendar.access")
        self.assertEqual((record.text("source"), record.text("changeID")), ("python", "1"))
        self.assertEqual(record.text("account"), "anna")

    def test_record_says_what_is_not_applied(self):
        parts = [{"code": "ruleInvalid", "id": "trip@demo", "place": 1, "reason": "no part UNTL"},
                 {"code": "zoneUnknown", "reason": "zone Moon/Base"}]

        def script(message):
            ack = Message("ack", message.request_id).add("position", bytes(15) + b"\5")
            ack.body = json.dumps({"notApplied": parts, "total": 3}).encode()
            return [ack]

        stored, _ = self.run_with(
            script, lambda client: client.record("calendar.change", {}, account="anna"))
        self.assertEqual((stored.not_applied, stored.not_applied_total), (parts, 3))
        self.assertEqual(list(stored.complaints()), [
            "trip@demo: ruleInvalid: no part UNTL", "zone: zoneUnknown: zone Moon/Base",
            "and 1 more"])

    def test_greets_again_where_it_was_forgotten(self):
        answers = iter(["WRONG_STATE", None])

        def script(message):
            code = next(answers)
            if code:
                return [error(message, code)]
            return [Message("final", message.request_id, flags=COMPLETE, body=b"[]")]

        reply, seen = self.run_with(script, lambda client: client.request("status", {}))
        self.assertEqual(reply.items, [])
        self.assertEqual(
            [m.command for m in seen], ["hello", "request", "hello", "request", "bye"])
        self.assertEqual(seen[0].get("incarnation"), seen[2].get("incarnation"))

    def test_error_is_raised_with_its_code(self):
        def use(client):
            with self.assertRaises(Refused) as caught:
                client.request("intent.open", {"type": "a", "id": "b"})
            return caught.exception

        refused, _ = self.run_with(lambda message: [error(message, "NOT_FOUND")], use)
        self.assertEqual(refused.code, "NOT_FOUND")
        self.assertIn("because", str(refused))

    def test_nobody_there_is_said(self):
        with Client("tcp://127.0.0.1:1") as client:
            with self.assertRaises(NoServer):
                client.hello(timeout=0.2)


if __name__ == "__main__":
    unittest.main()
