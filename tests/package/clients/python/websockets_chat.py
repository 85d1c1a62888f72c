from talk import Broken, talk
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def opened(url, headers):
    socket = connect(url, additional_headers=headers, proxy=None)

    def receive():
        try:
            return socket.recv(timeout=10)
        except ConnectionClosed as error:
            raise Broken from error

    return socket.send, receive, socket.close


talk(opened)
