import { offer } from '../support/worker-process.ts';

const headers = { 'content-type': 'application/json' };

/** The bytes of a response. A separate process reads them, so that reading delays no other stream. */
async function sizeOf(response: Response): Promise<number> {
  if (!response.ok) throw new Error(`Refused with ${response.status}.`);
  return (await response.arrayBuffer()).byteLength;
}

offer({
  /** Says this over the stream of `useChat`. @returns how many bytes came */
  async chat(url: string, chatId: string, text: string): Promise<number> {
    const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
    const body = JSON.stringify({ id: chatId, trigger: 'submit-message', message });
    return sizeOf(await fetch(`${url}/api/chat`, { method: 'POST', headers, body }));
  },

  /** Says this over the tool events, and then opens the result. */
  async toolEvents(url: string, _chatId: string, message: string): Promise<number> {
    const api = `${url}/api/dialects/tool-events`;
    const response = await fetch(api, { method: 'POST', headers, body: JSON.stringify({ message }) });
    if (!response.ok) throw new Error(`Refused with ${response.status}.`);
    const frames = await response.text();
    const [, reference] = /"outputRef":"([^"]*)"/.exec(frames) ?? [];
    return frames.length + (reference ? await sizeOf(await fetch(`${api}/${reference}`)) : 0);
  },
});
