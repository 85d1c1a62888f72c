import type { MalformedReply } from '../wire/wire.ts';

/** A body that no chat client sends, and what is wrong with it. */
type MalformedBody = { readonly what: string; readonly body: string };

/** Bodies that must be refused, from one that is not JSON to one that is almost valid. */
export function malformedBodies(chatId: string): readonly MalformedBody[] {
  const request = { id: chatId, trigger: 'submit-message' };
  return [
    { what: 'a body that is not JSON', body: '{"id":' },
    { what: 'a list as the body', body: '[]' },
    { what: 'a body without messages', body: JSON.stringify(request) },
    { what: 'messages that are not a list', body: JSON.stringify({ ...request, messages: 'all of them' }) },
  ];
}

/**
 * Posts a body and judges the status. 4xx passes; any other response is a difference, because the backend still works;
 * no response is a failure.
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
