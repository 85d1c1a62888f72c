"""What a client of the chat socket is asked to do."""

import json
import uuid

from report import base_url, expect_text, report

url = base_url.replace("http", "ws", 1) + "/api/dialects/chat-socket"
key = {"authorization": "Bearer ada"}


class Broken(Exception):
    """The connection broke."""


def play(connect, message, query="", headers=None):
    """Plays one turn, over as many connections as it takes, and approves its questions.

    `connect(url, headers)` returns `send(text)`, `receive()`, which raises `Broken`, and `close()`.
    """
    turn = None
    opened = 0
    while True:
        send, receive, close = connect(url + query, headers or {})
        opened += 1
        ids = {"client_message_id": str(uuid.uuid4()), "accept_approvals": True}
        if turn is None:
            send(json.dumps({"type": "message", "content": message, **ids}))
        else:
            place = {name: turn[name] for name in ("conversation_id", "message_id")}
            send(json.dumps({"type": "resume", "accept_approvals": True, **place}))
        text = ""
        try:
            while True:
                frame = json.loads(receive())
                if frame["type"] == "started":
                    turn = frame
                elif frame["type"] == "token":
                    text += frame["content"]
                elif frame["type"] == "tool_approval_request":
                    answer = {"approval_id": frame["approval_id"], "approved": True}
                    send(json.dumps({"type": "tool_approval_response", **answer}))
                elif frame["type"] == "error":
                    raise AssertionError(frame["message"])
                elif frame["type"] == "complete":
                    close()
                    return text, opened
        except Broken:
            continue


def talk(connect):
    def resume():
        text, opened = play(connect, "Read.", "?break=1")
        expect_text(text, "One. Two.")
        expect_text(opened, "2")

    report(
        {
            "text": lambda: expect_text(play(connect, "Read.")[0], "One. Two."),
            "key": lambda: expect_text(play(connect, "Read.", "?key=1", key)[0], "One. Two."),
            "question": lambda: expect_text(play(connect, "Pay.")[0], "Paid."),
            "resume": resume,
        }
    )
