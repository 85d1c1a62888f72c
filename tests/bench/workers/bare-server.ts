import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { watchProcess } from '../support/watch-process.ts';
import { offer } from '../support/worker-process.ts';

/** What loopback costs at least: a POST that is answered `ok`, a socket that says what it is told. */
offer({
  ...watchProcess(),

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return `http://127.0.0.1:${address.port}`;
  },
});
