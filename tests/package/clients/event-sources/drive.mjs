import { baseURL, expectText, report } from '../report.mjs';

/** Starts a stream. @returns its address */
async function start(message, query = '') {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ message });
  const response = await fetch(`${baseURL}/api/chat/message`, { method: 'POST', headers, body });
  return `${baseURL}/api/chat/stream/${(await response.json()).stream_id}${query}`;
}

/**
 * Reads streams with a client, all at the same time, since some clients wait for seconds before they connect again.
 *
 * @param open reads a stream until it is closed: `open(url, { headers, onEvent })` with `onEvent({ type, data })` returns
 * `{ close(), isClosed() }`
 */
export async function drive(open) {
  async function read(url, { headers = {}, until = ({ type }) => type === 'done' } = {}) {
    const events = [];
    const end = Promise.withResolvers();
    const source = await open(url, {
      headers,
      onEvent({ type, data }) {
        // Without data it is the client's own event.
        if (typeof data !== 'string') return;
        events.push({ type, data: JSON.parse(data) });
        if (until(events.at(-1))) end.resolve();
      },
    });
    await end.promise;
    return { source, events };
  }
  const textOf = (events) => events.map(({ data }) => data.text ?? '').join('');
  const tasks = {
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
      const { source } = await read(await start('Fail.'), { until: ({ type }) => type === 'error' });
      source.close();
    },
    async resume() {
      const { source, events } = await read(await start('Read.', '?break=1'));
      source.close();
      expectText(textOf(events), 'One. Two.');
    },
    async stop() {
      const { source } = await read(await start('Read.'));
      while (!source.isClosed()) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async key() {
      const { source } = await read(await start('Read.', '?key=1'), {
        headers: { authorization: 'Bearer ada' },
      });
      source.close();
    },
  };
  const begun = Object.entries(tasks).map(([name, task]) => [name, task()]);
  for (const [, result] of begun) result.catch(() => {});
  await report(Object.fromEntries(begun.map(([name, result]) => [name, () => result])));
}
