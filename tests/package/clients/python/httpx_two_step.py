"""A reader of event streams, which connects again as its documentation says: with the id of the last event."""

import httpx
from httpx_sse import connect_sse
from report import base_url, expect_text, report

http = httpx.Client(timeout=10, trust_env=False)


def start(message, query=""):
    named = http.post(f"{base_url}/api/chat/message", json={"message": message}).json()
    return f"{base_url}/api/chat/stream/{named['stream_id']}{query}"


def read_once(url, events, headers, last):
    with connect_sse(http, "GET", url, headers={**headers, **last}) as source:
        if source.response.status_code == 204:
            return False
        source.response.raise_for_status()
        for event in source.iter_sse():
            events.append(event)
            last["last-event-id"] = event.id
    return events[-1].event != "done"


def read(url, headers=None):
    events = []
    last = {}
    goes_on = True
    while goes_on:
        try:
            goes_on = read_once(url, events, headers or {}, last)
        except httpx.TransportError:
            continue
    return events, last


def text_of(events):
    return "".join(event.json().get("text", "") for event in events)


def plain():
    events, _ = read(start("Read."))
    expect_text(text_of(events), "One. Two.")
    names = " ".join(event.event for event in events)
    expect_text(names, "message_chunk tool_call tool_response message_chunk done")


def error_frame():
    events, _ = read(start("Fail."))
    expect_text("error" in [event.event for event in events], "True")


def stop():
    url = start("Read.")
    _, last = read(url)
    expect_text(read_once(url, [], {}, last), "False")


report(
    {
        "read": plain,
        "errorFrame": error_frame,
        "resume": lambda: expect_text(text_of(read(start("Read.", "?break=1"))[0]), "One. Two."),
        "stop": stop,
        "key": lambda: expect_text(
            text_of(read(start("Read.", "?key=1"), {"authorization": "Bearer ada"})[0]), "One. Two."
        ),
    }
)
