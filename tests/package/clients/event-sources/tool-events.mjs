import { baseURL, expectText, Lacking, packages } from '../report.mjs';
import { readUntil, untilClosed } from './reading.mjs';

const path = `${baseURL}/api/dialects/tool-events`;
const headers = { 'content-type': 'application/json', 'accept-approvals': '1' };

/** Sends a message without the client. @returns the address of the stream that replays and follows its answer */
async function start(message, query = '') {
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ message }) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\n\n')) text += (await reader.read()).value;
  await reader.cancel();
  const { conversationId } = JSON.parse(text.split('\n')[0].replace('data: ', ''));
  return `${path}/stream?conversationId=${conversationId}${query}`;
}

async function approve({ approvalId }) {
  const body = JSON.stringify({ approved: true });
  await fetch(`${baseURL}/api/approvals/${approvalId}`, { method: 'POST', headers, body });
}

const textOf = (events) =>
  events.map(({ data }) => (data.type === 'text_delta' ? data.content : '')).join('');

/** What a reader of the tool events is asked to do. */
export function tasksOf(open) {
  const isLast = ({ data }) => data.type === 'message_end';
  const read = (url, request = {}, onEvent) => readUntil(open, url, request, isLast, onEvent);
  return {
    async read() {
      const { source, events } = await read(await start('Read.'));
      source.close();
      expectText(textOf(events), 'One. Two.');
      expectText(
        events.map(({ data }) => data.type).join(' '),
        'message_start text_delta tool_call_start tool_call_end text_delta message_end',
      );
    },
    async send() {
      if (/^eventsource(-\d)?$/.test(packages[0])) throw new Lacking('an `EventSource` sends no message');
      const body = JSON.stringify({ message: 'Read.' });
      const { source, events } = await read(path, { method: 'POST', headers, body });
      source.close();
      expectText(textOf(events), 'One. Two.');
    },
    async question() {
      const { source, events } = await read(await start('Pay.'), {}, ({ data }) => {
        if (data.type === 'approval_request') approve(data);
      });
      source.close();
      expectText(textOf(events), 'Paid.');
    },
    async resume() {
      const { source, events } = await read(await start('Read.', '&break=1'));
      source.close();
      expectText(textOf(events), 'One. Two.');
    },
    async stop() {
      const { source } = await read(await start('Read.'));
      await untilClosed(source);
    },
    async key() {
      const url = await start('Read.', '&key=1');
      const { source } = await read(url, { headers: { authorization: 'Bearer ada' } });
      source.close();
    },
  };
}
