import { once } from 'node:events';
import WebSocket from 'ws';
import { offer } from '../support/worker-process.ts';

/** Sockets that are opened and then say nothing. */
const sockets: WebSocket[] = [];

offer({
  async connect(url: string, count: number): Promise<void> {
    while (sockets.length < count) {
      const batch = Array.from({ length: Math.min(100, count - sockets.length) }, () => new WebSocket(url));
      await Promise.all(batch.map((socket) => once(socket, 'open')));
      sockets.push(...batch);
    }
  },

  async leave(): Promise<void> {
    const left = sockets.splice(0);
    const closed = left.map((socket) => once(socket, 'close'));
    for (const socket of left) socket.terminate();
    await Promise.all(closed);
  },
});
