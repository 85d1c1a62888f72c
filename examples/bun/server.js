import { createFetchHandler } from 'countersign/sse/server';
import { flow } from './flow.js';

const handler = createFetchHandler(flow, {
  // Everyone is the same user here. Return the user of your login; `null` refuses the request.
  authorize: () => ({ id: 'local', name: 'You' }),
  // The host names of your site, such as chat.example.com. Default: only those of this machine.
  allowedHosts: process.env.ALLOWED_HOSTS?.split(','),
});

// Continue runs that a crash interrupted.
await flow.recover();
const server = Bun.serve({
  fetch: (request) => handler(request),
  port: Number(process.env.PORT ?? 3000),
  hostname: '127.0.0.1',
  // Streams may be silent for longer than Bun's 10 seconds.
  idleTimeout: 0,
});
console.log(`Ready on http://127.0.0.1:${server.port}`);

process.once('SIGTERM', async () => {
  await server.stop();
  await flow.close();
  process.exit(0);
});
