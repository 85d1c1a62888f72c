import type { MalformedReply } from './wire.ts';

/** A body that no chat client sends, and what is wrong with it. */
type MalformedBody = { readonly what: string; readonly body: string };

/** Bodies to be refused, from one that is no JSON to one that is nearly right. */
export function malformedBodies(chatId: string): readonly MalformedBody[] {
  const request = { id: chatId, trigger: 'submit-message' };
  return [
    { what: 'a body that is not JSON', body: '{"id":' },
    { what: 'a list as the body', body: '[]' },
    { what: 'a body without messages', body: JSON.stringify(request) },
    { what: 'messages that are no list', body: JSON.stringify({ ...request, messages: 'all of them' }) },
  ];
}

/**
 * Posts one, and judges the status: 4xx is right; anything else that comes back is a difference, since the backend
 * lives on; nothing at all is not.
 */
export async function sendMalformedBody(
  settings: MalformedBody & {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<MalformedReply> {
  const { url, headers, what, body, signal } = settings;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    });
    await response.text();
    const isRefused = response.status >= 400 && response.status < 500;
    return { what, verdict: isRefused ? 'refused' : 'differs', reply: `status ${response.status}` };
  } catch {
    if (signal.aborted) return { what, verdict: 'hangs', reply: 'no whole reply' };
    return { what, verdict: 'differs', reply: 'the connection was dropped' };
  }
}
