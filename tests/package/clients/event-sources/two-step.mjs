import { baseURL, expectText } from '../report.mjs';
import { readUntil, untilClosed } from './reading.mjs';

/** Starts a stream. @returns its address */
async function start(message, query = '') {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ message });
  const response = await fetch(`${baseURL}/api/chat/message`, { method: 'POST', headers, body });
  return `${baseURL}/api/chat/stream/${(await response.json()).stream_id}${query}`;
}

const textOf = (events) => events.map(({ data }) => data.text ?? '').join('');

/** What a reader of the two-step stream is asked to do. */
export function tasksOf(open) {
  const read = (url, { headers = {}, until = 'done' } = {}) =>
    readUntil(open, url, { headers }, ({ type }) => type === until);
  return {
    async read() {
      const { source, events } = await read(await start('Read.'));
      source.close();
      expectText(textOf(events), 'One. Two.');
      expectText(
        events.map(({ type }) => type).join(' '),
        'message_chunk tool_call tool_response message_chunk done',
      );
    },
    async errorFrame() {
      const { source } = await read(await start('Fail.'), { until: 'error' });
      source.close();
    },
    async resume() {
      const { source, events } = await read(await start('Read.', '?break=1'));
      source.close();
      expectText(textOf(events), 'One. Two.');
    },
    async stop() {
      const { source } = await read(await start('Read.'));
      await untilClosed(source);
    },
    async key() {
      const headers = { authorization: 'Bearer ada' };
      const { source } = await read(await start('Read.', '?key=1'), { headers });
      source.close();
    },
  };
}
