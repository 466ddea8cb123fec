"""What the web board's server refuses: other hosts and origins, what is too large or of another kind, hostile texts."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
import tracemalloc
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import oanquan as oaq
from oanquan import PRESETS, web
from oanquan.web import requests
from oanquan.web.asking import MOST_RECORDS
from oanquan.web.errors import WebError
from oanquan.web.fields import parse, read, text, whole
from oanquan.web.requests import MOST_BYTES, MOST_BYTES_OF_RECORDS
from support.asgi import HOST, JSON, Answer, Client
from support.command import ENVIRONMENT, OANQUAN, run

ENDPOINTS = ["games", "rules", "records", "steps", "setup", "compare"]
OF_A_GAME = ["look", "play", "undo", "redo", "goto", "seats", "stop", "think", "hint", "analyse"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    made = Client(web.app())
    yield made
    made.close()


def asked(client: Client, method: str, path: str, headers: Any, body: bytes = b"{}") -> Answer:
    return client.run(client.ask(method, path, headers=headers, body=body))


# ---- who asks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:9", "[::1]:8000", "127.0.0.1"])
def test_own_names(client: Client, host: str) -> None:
    assert asked(client, "GET", "/", {"host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "evil@127.0.0.1",
        "127.0.0.1/evil",
        "",
        "[::1",
        "::1",
        "127.0.0.1#",
        "0",
    ],
)
def test_other_names(client: Client, host: str) -> None:
    answer = asked(client, "GET", "/", {"host": host})
    assert (answer.status, answer.code) == (421, "host")


def test_a_request_has_one_host(client: Client) -> None:
    twice = [(b"host", HOST.encode()), (b"host", b"evil.example")]
    assert asked(client, "GET", "/", twice).status == 421


def test_all_hosts_may_be_allowed() -> None:
    client = Client(web.app(hosts=["*"]))
    assert asked(client, "GET", "/", {"host": "board.example:80"}).status == 200
    client.close()


@pytest.mark.parametrize("origin", [f"http://{HOST}", f"HTTP://{HOST}", None])
def test_own_origin(client: Client, origin: str | None) -> None:
    headers = {**JSON, **({"origin": origin} if origin else {})}
    assert asked(client, "POST", "/api/games", headers).status == 201


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1:8001",
        "http://localhost:8000",
        f"ftp://{HOST}",
        "http://[",
        f"http://{HOST}.evil.example",
    ],
)
@pytest.mark.parametrize("path", ["/api/games", "/api/rules", "/api/games/x/play"])
def test_other_origins(client: Client, path: str, origin: str) -> None:
    answer = asked(client, "POST", path, {**JSON, "origin": origin})
    assert (answer.status, answer.code) == (403, "origin")


@pytest.mark.parametrize("site", ["cross-site", "same-site", "x"])
def test_other_sites(client: Client, site: str) -> None:
    assert asked(client, "POST", "/api/games", {**JSON, "sec-fetch-site": site}).status == 403
    assert asked(client, "GET", "/static/main.js", {"sec-fetch-site": site}).status == 403
    following = {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}
    assert asked(client, "GET", "/", following).status == 200
    assert asked(client, "POST", "/api/games", {**JSON, **following}).status == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/static/main.js"), ("POST", "/api/games"), ("GET", "/none"), ("PUT", "/")],
)
def test_headers_of_every_answer(client: Client, method: str, path: str) -> None:
    headers = asked(client, method, path, JSON).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert not {name for name in headers if name.startswith("access-control")}


def test_websockets_are_closed(client: Client) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    client.run(client.app({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


# ---- what is asked ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/none", "/static/../errors.py", "/static/..%2ferrors.py", "/static/index.html", "/api"]
)
def test_other_paths(client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status, answer.code) == (404, "unknown_path")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"])
@pytest.mark.parametrize("path", [f"/api/{name}" for name in ENDPOINTS] + ["/api/games/x/play"])
def test_other_methods(client: Client, method: str, path: str) -> None:
    assert asked(client, method, path, JSON).status == 405


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded", "multipart/form-data", "json"])
def test_other_kinds_of_bodies(client: Client, kind: str) -> None:
    answer = asked(client, "POST", "/api/games", {"content-type": kind})
    assert (answer.status, answer.code) == (415, "content_type")
    assert asked(client, "POST", "/api/games", {**JSON, "content-encoding": "gzip"}).code == "content_encoding"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[" * 50_000, b"NaN", b'{"a":Infinity}', b"1" * 5000, b"\xef\xbb\xbf{}"]
)
def test_bodies_that_are_no_json(client: Client, body: bytes) -> None:
    answer = asked(client, "POST", "/api/games", JSON, body)
    assert (answer.status, answer.code) == (400, "json")


@pytest.mark.parametrize("body", [b"[]", b"1", b"null", b'"a"', b'[{"rules": "x"}]'])
def test_bodies_that_are_no_object(client: Client, body: bytes) -> None:
    assert asked(client, "POST", "/api/games", JSON, body).code == "fields"


@pytest.mark.parametrize(("path", "most"), [("rules", MOST_BYTES), ("games", MOST_BYTES_OF_RECORDS)])
def test_bodies_that_are_too_long(client: Client, path: str, most: int) -> None:
    told = {**JSON, "content-length": str(most + 1)}
    assert asked(client, "POST", f"/api/{path}", told, b"").code == "too_long"
    untold = client.run(client.ask("POST", f"/api/{path}", headers=JSON, body=[b" " * 40_000] * (most // 40_000 + 2)))
    assert (untold.status, untold.code) == (413, "too_long")
    for length in ("-1", "x", "1e9", "٣", "9" * 400):
        assert asked(client, "POST", f"/api/{path}", {**JSON, "content-length": length}).status in (413, 415)


def test_every_fault_of_the_fields_is_told(client: Client) -> None:
    answer = client.post("/api/setup", {"rules": 1, "turn": "x", "ply": True, "evil": 1, "pebbles": {"z9": 1}})
    assert answer.code == "fields"
    assert len(answer.json()["error"]["faults"]) == 5


@pytest.mark.parametrize(
    "seat", ["table:/etc/passwd", "table:FILE", "search:depth=100", "mcts:simulations=99999999", "random", "", None, 1]
)
def test_agents_of_clients_are_levels(client: Client, seat: Any) -> None:
    for path in ("/api/games", "/api/games/x/seats"):
        view = client.post("/api/games").json()
        answer = client.post(path.replace("x", view["game"]), {"seats": ["human", seat]})
        assert (answer.status, answer.code) == (422, "fields")


def test_very_many_records_take_little_memory(client: Client) -> None:
    """As Game objects all at once half a million of them would take hundreds of MiB."""
    tracemalloc.start()
    try:
        found = client.post("/api/records", {"text": "* " * 500_000}).json()
        assert client.post("/api/games", {"record": "* " * 500_000}).code == "several_records"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (found["count"], len(found["games"])) == (500_000, MOST_RECORDS)
    assert most < 40 << 20


def test_what_a_client_sends_stays_text_in_pictures(client: Client) -> None:
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    record = oaq.Game()
    record.headers["Players"] = hostile
    view = client.post("/api/games", {"record": record.record()}).json()
    assert "<script>" not in view["picture"]
    answer = client.post("/api/rules", {"rules": hostile})
    assert answer.headers["content-type"] == "application/json"


def test_an_error_inside_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(web.app())
    board = client.app.state.board

    def broken(_: str) -> Any:
        raise RuntimeError("the secret")

    monkeypatch.setattr(board.games, "find", broken)
    found: list[Any] = []

    async def ask() -> None:
        chunks: list[bytes] = []
        with pytest.raises(RuntimeError):  # told to the server's log
            await client.ask("POST", "/api/games/x/look", headers=JSON, body=b"{}", heard=chunks.append)
        found.append(json.loads(b"".join(chunks)))

    client.run(ask())
    assert found == [{"error": {"code": "internal", "message": "something went wrong here", "faults": []}}]
    client.close()


# ---- hypothesis ------------------------------------------------------------------------------------------------------

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**60), 10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.sampled_from(["a1+", "start", "table:x", "vi", "\ud800", "a" * 5000, "\x00", "../../etc/passwd"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
SQUARES = st.sampled_from(["a1", "a5", "am", "b3", "bm", "c1", "dm", "e1", ""])
GOOD: dict[str, st.SearchStrategy[Any]] = {
    "rules": st.sampled_from([*PRESETS, "squares=1", "sides=4,squares=7,pebbles=1", "squares=9", "mandarin_value=20"]),
    "other": st.sampled_from([*PRESETS, "squares=1", "sides=4", "immature_below=20"]),
    "position": st.sampled_from(
        [
            "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0",
            "0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9",
            "5.5.5.5.5.0q1/5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0/0 - c 4",
            "9.0q1/0.5q1 0/999 a>b:2 a 7",
            "0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins",
            "x",
        ]
    ),
    "text": st.sampled_from(["1. a1+ *", "1. a3+ b1+ * 1. a1+ *", "[", '[Players "x"]', "9.0q1/0.5q1 0/999 a>b:2 a 7"]),
    "record": st.sampled_from(["1. a1+ *", "[Rules", '[Seats "table:x / human"] 1. a2+ b2+ *', '[Ply "99"] *', "{"]),
    "move": st.sampled_from([f"{side}{n}{d}" for side in "abc" for n in (1, 3, 9) for d in "+-"] + ["3+", "", "am+"]),
    "number": st.integers(-1, 3),
    "seats": st.lists(st.sampled_from(["human", "beginner", "easy", "casual", "x"]), max_size=5),
    "seed": st.integers(-1, 2**53),
    "ply": st.integers(-1, 5000),
    "first": st.integers(-1, 100),
    "count": st.integers(-1, 60),
    "pebbles": st.dictionaries(SQUARES, st.integers(-10, 300), max_size=6),
    "mandarins": st.dictionaries(SQUARES, st.integers(-2, 3), max_size=3),
    "stores": st.dictionaries(st.sampled_from("abcde"), st.lists(st.integers(-20, 400), max_size=3), max_size=4),
    "debts": st.lists(
        st.dictionaries(
            st.sampled_from(["debtor", "creditor", "pebbles", "x"]), st.sampled_from(["a", "b", "z", "3", "-1", "x"])
        ),
        max_size=3,
    ),
    "turn": st.sampled_from(["a", "b", "c", "d", "e"]),
    "lang": st.sampled_from(["en", "vi", "fr"]),
    "theme": st.sampled_from(["wood", "dark", "pink"]),
    "bottom": st.sampled_from(["a", "d", "e"]),
    "numbers": st.booleans(),
}
FIELDS = st.fixed_dictionaries({}, optional={name: good | JUNK for name, good in GOOD.items()})
NEEDED = {
    "rules": ["rules"],
    "records": ["text"],
    "steps": ["rules", "position", "move"],
    "setup": ["rules"],
    "compare": ["rules", "position", "other"],
    "games": [],
    "play": ["move"],
    "goto": ["ply"],
    "seats": ["seats"],
}
HEADERS = st.dictionaries(
    st.sampled_from(["origin", "content-type", "content-length", "accept-language", "if-none-match", "sec-fetch-site"]),
    st.text("abc/;=*\x7f:., 0129-", max_size=20) | st.sampled_from(["application/json", f"http://{HOST}", "vi"]),
    max_size=2,
)


def good_answer(answer: Answer) -> None:
    assert answer.status in {200, 201, 304, 400, 403, 404, 405, 409, 413, 415, 421, 422, 503}, answer
    assert len(answer.body) < 4_000_000
    if answer.status >= 400 and answer.status != 405:
        assert answer.code
        assert len(answer.body) < 50_000
        assert not re.search(rb"Traceback|\.py\b|site-packages", answer.body)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=600)
@given(data=st.data(), name=st.sampled_from([*ENDPOINTS, *OF_A_GAME]))
def test_no_fields_bring_the_server_down(client: Client, data: st.DataObject, name: str) -> None:
    body: dict[str, Any]
    if data.draw(st.booleans(), label="what is needed, and a few more"):
        body = {field: data.draw(GOOD[field], label=field) for field in NEEDED.get(name, [])}
        more = data.draw(st.sets(st.sampled_from(sorted(GOOD)), max_size=2), label="more")
        body |= {field: data.draw(GOOD[field] | JUNK, label=field) for field in more}
    else:
        body = data.draw(FIELDS | JUNK, label="body")
    if name in OF_A_GAME:
        position = data.draw(st.sampled_from(["start", "later", "none"]), label="game")
        view = client.post("/api/games", {"record": "1. a3+ b1+ *" if position == "later" else "*"}).json()
        path = f"/api/games/{view['game'] if position != 'none' else 'x'}/{name}"
        if name in ("analyse", "hint") and position != "none":  # takes its seconds: once for all
            path = f"/api/games/x/{name}"
    else:
        path = f"/api/{name}"
    good_answer(client.post(path, body))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD", "OPTIONS", "x"]),
    path=st.sampled_from(["/", "/static/main.js", "/api/games", "/api/words/vi", "/api/games/x/play", "/favicon.ico"])
    | st.text("/.%aeipstgmc\x00ếx-_", max_size=20).map("/{}".format),
    headers=HEADERS,
    body=st.binary(max_size=200) | st.sampled_from([b"{}", b"[]", b'{"rules": "quan-non"}']),
)
def test_no_request_brings_the_server_down(
    client: Client, method: str, path: str, headers: dict[str, str], body: bytes
) -> None:
    good_answer(asked(client, method, path, {"content-type": "application/json", **headers}, body))


@given(st.binary(max_size=100) | st.text(max_size=60).map(str.encode))
def test_a_body_is_json_or_refused(body: bytes) -> None:
    with contextlib.suppress(WebError):
        parse(body)


@given(JUNK)
def test_fields_are_read_or_refused(junk: Any) -> None:
    with contextlib.suppress(WebError):
        assert isinstance(read(junk, {"a": text(5)}, {"b": whole(0, 5)})["a"], str)


# ---- the server itself -----------------------------------------------------------------------------------------------


def started(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    command = [*OANQUAN, "serve", "--port", "0", *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert server.stdout is not None
    return server, server.stdout.readline().strip()


def posted(address: str, path: str, body: Any) -> Any:
    request = urllib.request.Request(f"{address}api/{path}", json.dumps(body).encode(), JSON)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def test_ctrl_c_ends_the_server_soon_whatever_it_thinks_about() -> None:
    server, address = started()
    try:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        view = posted(address, "games", {"rules": "wikipedia-vi"})
        with socket.create_connection(("127.0.0.1", int(address.split(":")[-1][:-1]))) as asking:
            path = f"/api/games/{view['game']}/analyse"
            asking.sendall(
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                f"Content-Length: 2\r\n\r\n{{}}".encode()
            )
            assert b"200" in asking.recv(100)
            time.sleep(1.0)  # in the longest of its searches
            began = time.monotonic()
            server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=20)
            assert time.monotonic() - began < 2
        assert "Traceback" not in errors
        assert server.returncode in (0, 130)
    finally:
        server.kill()
        server.communicate()


def test_other_servers_at_the_port_are_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        refused = run("serve", "--port", str(other.getsockname()[1]))
        assert refused.returncode == 2
        assert re.match(r"oanquan: cannot listen at 127\.0\.0\.1, port \d+: ", refused.stderr)
    assert run("serve", "--port", "70000").returncode == 2
    assert run("serve", "--lang", "fr").returncode == 2


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr(requests, "MOST_SECONDS_OF_BODIES", 0.1)
    for path in ["/api/games", "/api/records", "/api/rules"]:
        answer = client.run(client.ask("POST", path, headers=JSON, body=[b"{", b""], stalled=True))
        assert (answer.status, answer.code) == (408, "slow")


def in_a_process(code: str) -> tuple[subprocess.Popen[str], int]:
    """A server that some code sets up and runs; its port."""
    ends = "serve(port=0, browser=BROWSER, ready=lambda at: print(at, flush=True))"
    code = f"from oanquan.web import serving, serve\n{code}\n{ends}"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert server.stdout is not None
    return server, int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2])


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HTTP/1.1\r\nHost: local", b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT"],
    ids=["nothing", "half a head", "half of a second head"],
)
def test_a_connection_that_asks_nothing_is_closed(sent: bytes) -> None:
    server, port = in_a_process("BROWSER = False\nserving.SECONDS_TO_ASK = 0.4")
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as idle:
            idle.sendall(sent)
            while idle.recv(4096):
                pass
    finally:
        server.kill()
        server.communicate()


def test_a_connection_that_waits_for_an_answer_is_kept() -> None:
    server, port = in_a_process("BROWSER = False\nserving.SECONDS_TO_ASK = 0.2")
    try:
        address = f"http://127.0.0.1:{port}/"
        view = posted(address, "games", {"rules": "wikipedia-vi"})
        request = urllib.request.Request(f"{address}api/games/{view['game']}/analyse", b"{}", JSON)
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert json.loads(answer.read().splitlines()[-1])["done"] == 1.0
    finally:
        server.kill()
        server.communicate()


def test_a_browser_that_does_not_return_holds_nothing_up() -> None:
    """Those of a terminal return when they end."""
    server, port = in_a_process("import time\nBROWSER = True\nserving.webbrowser.open = lambda _: time.sleep(60)")
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGINT)
        server.wait(timeout=5)
    finally:
        server.kill()
        server.communicate()
