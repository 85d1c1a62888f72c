import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

const [name] = packages;
const { EventSourceParserStream } = await import(`${name}/stream`);

/** What a page writes without a library that connects again: a request, and the same one after its last frame. */
await drive((url, { onEvent, method = 'GET', headers = {}, body }) => {
  const aborted = new AbortController();
  let isClosed = false;
  let lastId;

  async function readOnce() {
    const place = lastId === undefined ? {} : { 'last-event-id': lastId };
    const request = { method, headers: { ...headers, ...place }, body, signal: aborted.signal };
    const response = await fetch(url, request);
    if (response.status === 204) return true;
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { id, event = 'message', data } of events) {
      lastId = id ?? lastId;
      onEvent({ type: event, data });
    }
    return false;
  }

  async function read() {
    while (!isClosed) isClosed = await readOnce().catch(() => aborted.signal.aborted);
  }

  read();
  return { close: () => aborted.abort(), isClosed: () => isClosed };
});
