import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFetchHandler } from 'countersign/sse/server';
import { flow } from './flow.js';

const handler = createFetchHandler(flow, {
  // Everyone is the same user here. Return the user of your login; `null` refuses the request.
  authorize: () => ({ id: 'local', name: 'You' }),
  // The host names of your site, such as chat.example.com. Default: only those of this machine.
  allowedHosts: process.env.ALLOWED_HOSTS?.split(','),
});

const server = createServer(async (incoming, outgoing) => {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  try {
    await write(await handler(requestOf(incoming, left.signal)), outgoing);
  } catch {
    // The client has left, or sent an invalid HTTP request.
    outgoing.destroy();
  }
});

/** A request of Node as one of the Web. */
function requestOf(incoming, signal) {
  const { method, headers, url } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
  return new Request(`http://${headers.host}${url}`, { method, headers, signal, ...body });
}

/** Sends a response of the Web as its parts come. */
async function write(response, outgoing) {
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.flushHeaders();
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
  else outgoing.end();
}

// Continue runs that a crash interrupted.
await flow.recover();
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Ready on http://127.0.0.1:${server.address().port}`);
});

process.once('SIGTERM', async () => {
  server.close();
  await flow.close();
  process.exit(0);
});
