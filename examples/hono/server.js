import { serve } from '@hono/node-server';
import { createFetchHandler } from 'countersign/sse/server';
import { Hono } from 'hono';
import { flow } from './flow.js';

const handler = createFetchHandler(flow, {
  // Everyone is the same user here. Return the user of your login; `null` refuses the request.
  authorize: () => ({ id: 'local', name: 'You' }),
  // The host names of your site, such as chat.example.com. Default: only those of this machine.
  allowedHosts: process.env.ALLOWED_HOSTS?.split(','),
});

const app = new Hono();
app.all('/api/*', (context) => handler(context.req.raw));

// Continue runs that a crash interrupted.
await flow.recover();
const options = { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' };
const server = serve(options, ({ port }) => console.log(`Ready on http://127.0.0.1:${port}`));

process.once('SIGTERM', async () => {
  server.close();
  await flow.close();
  process.exit(0);
});
