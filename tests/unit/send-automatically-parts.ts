import type { UIMessage } from 'ai';

/** Builders of parts, named for what has happened to the call. */
export const mark = { type: 'step-start' };
export const text = (content: string) => ({ type: 'text', text: content, state: 'done' });
export const reasoning = { type: 'reasoning', text: 'Hm.', state: 'done' };
export const data = { type: 'data-note', data: { seen: true } };
export const source = { type: 'source-url', sourceId: 's', url: 'https://example.com/' };
export const file = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' };

type Extra = Record<string, unknown>;
const tool = (id: string, state: string, extra: Extra = {}) => ({
  type: 'tool-process_payment',
  toolCallId: id,
  state,
  input: { amount: 30 },
  ...extra,
});

export const called = (id: string, extra?: Extra) => tool(id, 'input-available', extra);
export const asked = (id: string, extra?: Extra) =>
  tool(id, 'approval-requested', { approval: { id: `q-${id}` }, ...extra });
export const approved = (id: string, extra?: Extra) =>
  tool(id, 'approval-responded', { approval: { id: `q-${id}`, approved: true }, ...extra });
export const denied = (id: string, extra?: Extra) =>
  tool(id, 'approval-responded', { approval: { id: `q-${id}`, approved: false, reason: 'no' }, ...extra });
export const output = (id: string, extra?: Extra) =>
  tool(id, 'output-available', { output: { paid: true }, ...extra });
export const failed = (id: string, extra?: Extra) =>
  tool(id, 'output-error', { errorText: 'declined', ...extra });
export const refused = (id: string, extra?: Extra) =>
  tool(id, 'output-denied', { approval: { id: `q-${id}`, approved: false }, ...extra });

/** Makes a call dynamic: its tool's name moves from the type to a field. */
export const dynamic = (part: Extra, toolName = 'process_payment') => ({
  ...part,
  type: 'dynamic-tool',
  toolName,
});

/** Makes a call one of the client's own tool. */
export const here = (part: Extra) => ({ ...part, type: 'tool-get_location' });

/** Makes a call a stand-in that guards another call. */
export const guarding = (guarded: unknown, part: Extra) => ({
  ...part,
  type: 'tool-adk_request_confirmation',
  input: { originalFunctionCall: { id: guarded, name: 'process_payment' } },
});

export const automatic = (approval: Extra) => ({ approval: { ...approval, isAutomatic: true } });

/** Takes anything for messages, as a stored chat may hold anything. */
export function messagesOf(value: unknown): UIMessage[] {
  return value as UIMessage[];
}

/** A chat whose last message is an assistant message with these parts. */
export function chatWith(parts: readonly unknown[]): UIMessage[] {
  return messagesOf([
    { id: 'm1', role: 'user', parts: [text('Pay Alice 30')] },
    { id: 'm2', role: 'assistant', parts },
  ]);
}

/** One hand-made row: the parts of the last assistant message, and whose predicate must say yes. */
export type Row = { title: string; parts: unknown[]; sse: boolean; bidi: boolean; clientTools?: string[] };

/** Builds a {@link Row}. */
export function row(
  title: string,
  parts: unknown[],
  sends: 'both' | 'sse' | 'bidi' | 'neither',
  clientTools?: string[],
): Row {
  return {
    title,
    parts,
    sse: sends === 'both' || sends === 'sse',
    bidi: sends === 'both' || sends === 'bidi',
    clientTools,
  };
}
