import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createApprovalFlow } from 'countersign';
import { toolEvents } from 'countersign/plugins/tool-events';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { chooseModel } from './model.js';
import { toolDetails, tools } from './music.js';

const flow = createApprovalFlow({
  store: sqliteStore({ path: process.env.CHATS ?? 'chats.sqlite' }),
  model: chooseModel(),
  instructions: 'You help people find music. Use the tools; never invent a track.',
  tools,
  toolDetails,
});

const settings = {
  // Everyone is the same user here. Return the user of your login; `null` refuses the request.
  authorize: () => ({ id: 'local', name: 'You' }),
  // The host names of your site, such as music.example.com. Default: only those of this machine.
  allowedHosts: process.env.ALLOWED_HOSTS?.split(','),
  dialects: [toolEvents()],
};
/** `/api/dialects/tool-events` and the paths below it, the chats and the approvals. */
const handle = createFetchHandler(flow, settings);

const server = createServer(async (incoming, outgoing) => {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  try {
    await write(await handle(requestOf(incoming, left.signal)), outgoing);
  } catch {
    // The client has left, or sent what is no HTTP request.
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

// Runs that a crash interrupted go on.
await flow.recover();
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Ready on http://127.0.0.1:${server.address().port}`);
});

process.once('SIGTERM', async () => {
  server.close();
  await flow.close();
  process.exit(0);
});
