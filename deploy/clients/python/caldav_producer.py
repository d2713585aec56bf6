#!/usr/bin/env python3
"""Publishes what changes in a calendar of a CalDAV server.

    python3 caldav_producer.py ACCOUNT CALENDAR URL [--every SECONDS]

The password of --user is read from the environment, SIGHTLINE_CALDAV_PASSWORD. What was published
is remembered in --state, and moved on only once the journal has stored it: a run that is
interrupted is repeated by the next one, and every change may come twice.
"""

import argparse
import json
import os
import re
import sys
import time
from dataclasses import dataclass, field

from caldav import CalDAVCalendar, CalDAVError, DeadToken
from sightline_client import ENDPOINT, Client, NoServer, Refused

OBJECT_BYTES_MAX = 262_144  # resourceBytesMax
OBJECTS_PER_CHANGE_MAX = 1_000  # resourcesPerChangeMax
CHANGE_BYTES_MAX = 400_000  # in JSON at most twice that; bodyBytesMax is 1,048,576
TOKEN_BYTES_MAX = 1_024  # nameBytesMax


@dataclass
class State:
    """What was published of one calendar."""

    url: str
    token: str = ""
    revision: int = 0
    objects: dict = field(default_factory=dict)  # path: [tag, uid]

    @classmethod
    def load(cls, path, url):
        """The state in a file; an empty one if there is none, or it is of another calendar."""
        try:
            with open(path, encoding="utf-8") as file:
                state = cls(**json.load(file))
        except FileNotFoundError:
            return cls(url)
        return state if state.url == url else cls(url)

    def save(self, path):
        descriptor = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self.__dict__, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)


@dataclass
class Step:
    """What one look at the server brings: a state, and the changes that lead there."""

    state: State
    is_reset: bool
    put: list = field(default_factory=list)
    remove: list = field(default_factory=list)
    left_out: list = field(default_factory=list)


def look(calendar, state):
    """Asks the server what is new; from the start if it does not know the token any more."""
    token, known = state.token, state.objects
    try:
        tags, gone, following = calendar.changes(token)
    except DeadToken:
        token, known = "", {}
        tags, gone, following = calendar.changes(token)
    step = Step(State(state.url, following, state.revision, dict(known)), is_reset=not token)
    changed = [path for path, tag in tags.items() if not tag or known.get(path, [""])[0] != tag]
    for path in sorted(gone):
        _forget(path, step)
    for path, tag, text in calendar.objects(changed):
        uid = _uid(text) if text is not None else None
        if uid is None or step.state.objects.get(path, [None, uid])[1] != uid:
            _forget(path, step)  # it went meanwhile, holds no event, or is of another UID now
        if uid is None:
            continue
        if len(text.encode()) > OBJECT_BYTES_MAX:
            step.left_out.append(path)
            _forget(path, step)
            continue
        step.put.append(text)
        step.state.objects[path] = [tag, uid]
    still_there = {uid for _, uid in step.state.objects.values()}
    step.remove = [uid for uid in step.remove if uid not in still_there]
    return step


def _forget(path, step):
    tag_and_uid = step.state.objects.pop(path, None)
    if tag_and_uid is not None:
        step.remove.append(tag_and_uid[1])


def _uid(text):
    """The UID of an object's events; None if it has none."""
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    event = re.search(r"^BEGIN:VEVENT\s*$(.*?)^END:VEVENT", unfolded, re.M | re.S | re.I)
    uid = event and re.search(r"^UID(?:;[^:\r\n]*)?:(.*?)\s*$", event.group(1), re.M | re.I)
    if not uid:
        return None
    return re.sub(r"\\(.)", lambda escape: {"n": "\n", "N": "\n"}.get(escape[1], escape[1]),
                  uid.group(1)) or None


def pages(step, name, zone):
    """The bodies of calendar.change, within the limits of one change."""
    body, size = None, 0

    def begin():
        return {"calendar": name, "revision": step.state.revision, "zone": zone, "put": [],
                "remove": []}

    body = begin()
    for key, value, cost in (
            [("remove", uid, len(uid.encode())) for uid in step.remove]
            + [("put", {"ics": text}, len(text.encode())) for text in step.put]):
        if len(body[key]) == OBJECTS_PER_CHANGE_MAX or size + cost > CHANGE_BYTES_MAX and size:
            yield body
            body, size = begin(), 0
        body[key].append(value)
        size += cost
    yield body


def publish(client, account, name, zone, step):
    """Sends a step; the last page brings the token, and ends a reset."""
    bodies = list(pages(step, name, zone))
    for number, body in enumerate(bodies):
        is_last = number == len(bodies) - 1
        if step.is_reset:
            body["reset"] = True
            body["complete"] = is_last
        if is_last and len(step.state.token.encode()) <= TOKEN_BYTES_MAX:
            body["syncToken"] = step.state.token
        stored = client.record(
            "calendar.change", body, account=account, partitionKey=f"{account}/{name}",
            source="caldav_producer",
            change_id=f"{account}/{name}/{step.state.revision}/{number}")
        for complaint in stored.complaints():
            print(f"not applied: {complaint}", file=sys.stderr)


def run_once(calendar, client, arguments):
    state = State.load(arguments.state, calendar.url)
    step = look(calendar, state)
    for path in step.left_out:
        print(f"left out {path}: more than {OBJECT_BYTES_MAX} bytes", file=sys.stderr)
    if step.put or step.remove or step.is_reset:
        # By the clock, so that a lost state does not begin again below what was published.
        step.state.revision = max(state.revision + 1, time.time_ns() // 1_000_000)
        publish(client, arguments.account, arguments.calendar, arguments.zone, step)
        start = "from the start: " if step.is_reset else ""
        print(f"{start}{len(step.put)} put, {len(step.remove)} removed", flush=True)
    elif arguments.every is None:
        print("nothing new", flush=True)
    step.state.save(arguments.state)


def arguments_parser():
    parser = argparse.ArgumentParser(
        description="Publishes what changes in a calendar of a CalDAV server.")
    parser.add_argument("account")
    parser.add_argument("calendar", help="its name in Sightline")
    parser.add_argument("url", help="of the calendar collection")
    parser.add_argument("--user", help="the password is in SIGHTLINE_CALDAV_PASSWORD")
    parser.add_argument("--zone", default="UTC", help="for floating and all-day values")
    parser.add_argument(
        "--state", metavar="FILE", help="default: caldav-ACCOUNT-CALENDAR.json, here")
    parser.add_argument("--every", type=float, metavar="SECONDS", help="go on, and look again")
    parser.add_argument(
        "--connect", default=os.environ.get("SIGHTLINE_CONNECT", ENDPOINT), metavar="ENDPOINT")
    return parser


def main():
    arguments = arguments_parser().parse_args()
    if arguments.state is None:
        name = re.sub(r"[^\w.-]", "_", f"caldav-{arguments.account}-{arguments.calendar}.json")
        arguments.state = name
    calendar = CalDAVCalendar(
        arguments.url, arguments.user, os.environ.get("SIGHTLINE_CALDAV_PASSWORD"))
    while True:
        try:
            with Client(arguments.connect, name="caldav_producer") as client:
                run_once(calendar, client, arguments)
        except (CalDAVError, Refused, NoServer, OSError, ValueError) as error:
            print(f"error: {error}", file=sys.stderr, flush=True)
            if arguments.every is None:
                return 1
        if arguments.every is None:
            return 0
        time.sleep(arguments.every)


if __name__ == "__main__":
    sys.exit(main())
