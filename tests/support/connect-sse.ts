import { responseChunks } from 'countersign/testing';
import { type ConnectRaw, Refused } from './raw-client.ts';
import { userHeader } from './serve-fixture.ts';

/** A client with `fetch`, over server-sent events. */
export const connectSse: ConnectRaw = async (url, user) => {
  const who: Record<string, string> = user === undefined ? {} : { [userHeader]: user };

  async function chunksOf(response: Response) {
    if (!response.ok) throw new Refused(await response.text());
    const headers = Object.fromEntries(response.headers);
    if (headers['content-type'] !== 'text/event-stream; charset=utf-8') {
      throw new Error(`Not an event stream: ${headers['content-type']}`);
    }
    if (headers['x-vercel-ai-ui-message-stream'] !== 'v1') {
      throw new Error('The response has no UI message stream header.');
    }
    return responseChunks(response);
  }

  return {
    open: async (request) =>
      chunksOf(
        await fetch(`${url}/api/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...who },
          body: JSON.stringify(request),
        }),
      ),
    async resume(chatId) {
      const response = await fetch(`${url}/api/chat/${chatId}/stream`, { headers: who });
      return response.status === 204 ? null : chunksOf(response);
    },
  };
};
