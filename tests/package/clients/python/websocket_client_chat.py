from talk import Broken, talk
from websocket import WebSocketException, create_connection


def opened(url, headers):
    socket = create_connection(url, header=headers, timeout=10)

    def receive():
        try:
            text = socket.recv()
        except (WebSocketException, OSError) as error:
            raise Broken from error
        if text == "":
            raise Broken
        return text

    return socket.send, receive, socket.close


talk(opened)
