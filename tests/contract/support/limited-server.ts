import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnectionLimit } from 'countersign/http/server';

// A server in a separate process, for a test that limits its file descriptors. It prints its port.
const limit = createConnectionLimit({
  authorize: ({ headers }) => (headers.get('x-user') === 'ada' ? { id: 'ada', name: 'Ada' } : null),
});
const server = createServer({ keepAliveTimeout: 620_000 }, (request, response) => {
  limit.requested(request, response);
  response.end('ok');
});
server.on('connection', limit.opened);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
