import type { ResponseItem } from './openai-script.ts';

/** One event of the stream. The server numbers them. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

const defaultServer = 'docs';

/** A response as its first and last events contain it. */
export function responseEvent(
  type: 'response.created' | 'response.in_progress' | 'response.completed',
  response: { readonly id: string; readonly model: string; readonly output?: readonly object[] },
): WireEvent {
  const isCompleted = type === 'response.completed';
  const tokens = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
  return {
    type,
    response: {
      object: 'response',
      created_at: 1_767_225_600,
      status: isCompleted ? 'completed' : 'in_progress',
      error: null,
      incomplete_details: null,
      output: [],
      usage: isCompleted ? tokens : null,
      ...response,
    },
  };
}

/** An item as the API stores it and sends it when it is done. `withEncrypted`: the request asked for it. */
export function wireItem(item: ResponseItem, withEncrypted: boolean): { id: string; type: string } {
  const { id } = item;
  if ('text' in item) {
    const content = [{ type: 'output_text', text: item.text, annotations: [] }];
    return Object.assign({ id, type: 'message' }, { role: 'assistant', status: 'completed', content });
  }
  if ('reasoning' in item) {
    const summary = item.reasoning.map((text) => ({ type: 'summary_text', text }));
    const encrypted = withEncrypted ? { encrypted_content: item.encrypted ?? null } : {};
    return Object.assign({ id, type: 'reasoning' }, { summary, ...encrypted });
  }
  const args = JSON.stringify(item.input);
  if ('call' in item) {
    const call = { call_id: item.callId, name: item.call, arguments: args, status: 'completed' };
    return Object.assign({ id, type: 'function_call' }, call);
  }
  const { server = defaultServer } = item;
  if ('approval' in item) {
    const request = { server_label: server, name: item.approval, arguments: args };
    return Object.assign({ id, type: 'mcp_approval_request' }, request);
  }
  const call = {
    server_label: server,
    name: item.mcpCall,
    arguments: args,
    status: 'completed',
    output: item.output,
    error: null,
    approval_request_id: item.approvalId ?? null,
  };
  return Object.assign({ id, type: 'mcp_call' }, call);
}

/** The events of one item, from `added` to `done`. */
export function itemEvents(item: ResponseItem, index: number, withEncrypted: boolean): WireEvent[] {
  const at = { item_id: item.id, output_index: index };
  const done = wireItem(item, withEncrypted);
  return [
    { type: 'response.output_item.added', output_index: index, item: begun(item, done) },
    ...partsOf(item, at),
    { type: 'response.output_item.done', output_index: index, item: done },
  ];
}

/** An item before its content has arrived. */
function begun(item: ResponseItem, done: object): object {
  if ('text' in item) return { ...done, content: [], status: 'in_progress' };
  if ('reasoning' in item) return { ...done, summary: [] };
  if ('call' in item) return { ...done, arguments: '', status: 'in_progress' };
  if ('mcpCall' in item) return { ...done, arguments: '', output: null, status: 'in_progress' };
  return done;
}

function partsOf(item: ResponseItem, at: { item_id: string; output_index: number }): WireEvent[] {
  if ('text' in item) {
    const place = { ...at, content_index: 0 };
    const part = { type: 'output_text', text: item.text, annotations: [] };
    return [
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...halves(item.text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text: item.text },
      { type: 'response.content_part.done', ...place, part },
    ];
  }
  if ('reasoning' in item) {
    return item.reasoning.flatMap((text, index) => {
      const place = { ...at, summary_index: index };
      const part = { type: 'summary_text', text };
      return [
        { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
        ...halves(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
        { type: 'response.reasoning_summary_text.done', ...place, text },
        { type: 'response.reasoning_summary_part.done', ...place, part },
      ];
    });
  }
  if ('approval' in item) return [];
  const name = 'call' in item ? 'function_call_arguments' : 'mcp_call_arguments';
  const args = JSON.stringify(item.input);
  return [
    ...halves(args).map((delta) => ({ type: `response.${name}.delta`, ...at, delta })),
    { type: `response.${name}.done`, ...at, arguments: args },
    ...('mcpCall' in item ? [{ type: 'response.mcp_call.completed', ...at }] : []),
  ];
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
