import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createBidiServer } from 'countersign/bidi/server';
import { createFetchHandler } from 'countersign/sse/server';
import express from 'express';
import { flow } from './flow.js';

const settings = {
  // Everyone is the same user here. Return the user of your login; `null` refuses the request.
  authorize: () => ({ id: 'local', name: 'You' }),
  // The host names of your site, such as chat.example.com. Default: only those of this machine.
  allowedHosts: process.env.ALLOWED_HOSTS?.split(','),
};

const app = express();
app.all('/api/*path', getRequestListener(createFetchHandler(flow, settings)));

const server = createServer(app);
const bidi = createBidiServer(flow, settings);
server.on('upgrade', (request, socket, head) => {
  if (request.url === '/api/chat/socket') bidi.handleUpgrade(request, socket, head);
  else socket.destroy();
});

// Continue runs that a crash interrupted.
await flow.recover();
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', () => {
  console.log(`Ready on http://127.0.0.1:${server.address().port}`);
});

process.once('SIGTERM', async () => {
  server.close();
  await bidi.close();
  await flow.close();
  process.exit(0);
});
