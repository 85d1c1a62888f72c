import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { createFetchHandler } from 'countersign/sse/server';
import express from 'express';

process.env.CHATS = ':memory:';
const { flow } = await import('../flow.js');

/** Most Express apps have a body parser, which reads the body before the handler. */
test('the handler takes a message behind express.json()', async (t) => {
  const handler = createFetchHandler(flow, { authorize: () => ({ id: 'local', name: 'You' }) });
  const app = express();
  app.use(express.json());
  app.all('/api/*path', getRequestListener(handler));
  const server = createServer(app);
  t.after(async () => {
    server.close();
    await flow.close();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  const response = await fetch(`http://127.0.0.1:${server.address().port}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id: 'parsed',
      message: { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Pay Alice 30' }] },
    }),
  });
  assert.match(await response.text(), /"type":"tool-approval-request"/);
});
