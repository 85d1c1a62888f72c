import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnectionLimit } from 'countersign/http/server';
import next from 'next';
import { countersign } from './countersign.ts';

const dev = process.env.NODE_ENV !== 'production';
// A proxy answers with 502 if it reuses a connection that this server is closing: let the proxy close idle ones first.
const server = createServer({ keepAliveTimeout: 620_000 });
// Connections without a sign-in are closed earlier, if there are too many.
const connections = createConnectionLimit({ authorize: (request) => countersign().authorize(request) });
server.on('connection', connections.opened);
// Next ends every upgrade it does not know. It gets a server that never listens, and only its own are passed on.
const serverOfNext = new Server();
const app = next({ dev, httpServer: serverOfNext, hostname: '127.0.0.1' });
await app.prepare();

const handle = app.getRequestHandler();
server.on('request', (request, response) => {
  connections.requested(request, response);
  void handle(request, response);
});
server.on('upgrade', (request, socket, head) => {
  connections.requested(request);
  if (request.url === '/api/chat/socket') countersign().bidi.handleUpgrade(request, socket, head);
  else if (!dev || !serverOfNext.emit('upgrade', request, socket, head)) socket.destroy();
});

// Continue the runs of instances that are gone.
await countersign().flow.recover();
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', () => {
  console.log(`Ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

process.once('SIGTERM', async () => {
  server.close();
  await countersign().bidi.close();
  await countersign().flow.close();
  process.exit(0);
});
