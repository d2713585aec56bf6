"""One calendar of a CalDAV server, followed by its sync token (RFC 6578, RFC 4791)."""

import base64
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from urllib.parse import unquote, urljoin, urlsplit

DAV = "{DAV:}"
CALDAV = "{urn:ietf:params:xml:ns:caldav}"
ANSWER_BYTES_MAX = 64 << 20
OBJECTS_PER_REQUEST = 100
PAGES_MAX = 10_000

SYNC = """<?xml version="1.0" encoding="utf-8"?>
<D:sync-collection xmlns:D="DAV:"><D:sync-token>{}</D:sync-token><D:sync-level>1</D:sync-level>\
<D:prop><D:getetag/></D:prop></D:sync-collection>"""
MULTIGET = """<?xml version="1.0" encoding="utf-8"?>
<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">\
<D:prop><D:getetag/><C:calendar-data/></D:prop>{}</C:calendar-multiget>"""


class CalDAVError(Exception):
    """The server answered something that is no use."""


class DeadToken(Exception):
    """The server does not know the token any more: everything has to be read anew."""


class CalDAVCalendar:
    def __init__(self, url, user=None, password=None, timeout=30):
        self.url, self.timeout = url if url.endswith("/") else url + "/", timeout
        self.headers = {"Content-Type": "application/xml; charset=utf-8"}
        if user is not None:
            plain = f"{user}:{password or ''}".encode()
            self.headers["Authorization"] = "Basic " + base64.b64encode(plain).decode()

    def changes(self, token):
        """What changed since a token ("" for everything): (tags by path, gone paths, new token).

        Raises DeadToken. An answer that the server cuts (507) is asked for further, from the token
        of its part: a later token would leave out what stands between.
        """
        tags, gone = {}, set()
        for _ in range(PAGES_MAX):
            tree = self._report(SYNC.format(_escape(token)), depth="0")
            is_cut = False
            for response in tree.findall(f"{DAV}response"):
                path, status = self._path(response), response.findtext(f"{DAV}status") or ""
                if " 507" in status:
                    is_cut = True
                elif " 404" in status:
                    gone.add(path)
                    tags.pop(path, None)
                elif not path.endswith("/"):  # the collection itself may stand there too
                    gone.discard(path)
                    tags[path] = _property(response, f"{DAV}getetag") or ""
            following = tree.findtext(f"{DAV}sync-token")
            if not following:
                raise CalDAVError("the server does not know sync-collection")
            if not is_cut or following == token:
                return tags, gone, following
            token = following
        raise CalDAVError(f"the server cuts its answer more than {PAGES_MAX} times")

    def objects(self, paths):
        """Yields (path, tag, text) of calendar objects; text is None for one that went meanwhile.

        The tag is that of the text: an object may change after `changes` named it.
        """
        paths = sorted(paths)
        for at in range(0, len(paths), OBJECTS_PER_REQUEST):
            asked = paths[at:at + OBJECTS_PER_REQUEST]
            hrefs = "".join(f"<D:href>{_escape(path)}</D:href>" for path in asked)
            tree = self._report(MULTIGET.format(hrefs), depth="0")
            found = {unquote(self._path(response)): response
                     for response in tree.findall(f"{DAV}response")}
            for path in asked:
                response = found.get(unquote(path))
                text = None
                if response is not None:
                    text = _property(response, f"{CALDAV}calendar-data")
                tag = "" if text is None else _property(response, f"{DAV}getetag") or ""
                yield path, tag, text

    def _path(self, response):
        """As the server writes it: what is percent-encoded stays so."""
        href = response.findtext(f"{DAV}href") or ""
        return urlsplit(urljoin(self.url, href.strip())).path

    def _report(self, body, depth):
        request = urllib.request.Request(
            self.url, body.encode(), dict(self.headers, Depth=depth), method="REPORT")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                data = answer.read(ANSWER_BYTES_MAX + 1)
        except urllib.error.HTTPError as error:
            with error:
                explanation = error.read(1 << 16)
            if b"valid-sync-token" in explanation:
                raise DeadToken() from None
            raise CalDAVError(f"{error.code} {error.reason} from {self.url}") from None
        except (urllib.error.URLError, OSError) as error:
            raise CalDAVError(f"{self.url}: {error}") from None
        if len(data) > ANSWER_BYTES_MAX:
            raise CalDAVError(f"an answer of more than {ANSWER_BYTES_MAX} bytes")
        try:
            return ElementTree.fromstring(data)
        except ElementTree.ParseError as error:
            raise CalDAVError(f"the answer is no XML: {error}") from None


def _property(response, name):
    for status in response.findall(f"{DAV}propstat"):
        if " 200" in (status.findtext(f"{DAV}status") or ""):
            text = status.findtext(f"{DAV}prop/{name}")
            if text is not None:
                return text
    return None


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
