import { createAnthropic } from '@ai-sdk/anthropic';
import { firstIssue } from '../first-issue.ts';
import type { Provider, Service } from '../provider.ts';
import { halves, idAt, type Piece, type WireEvent, type WireReply } from '../reply.ts';
import { anthropicBody } from './body.ts';
import { faultOfAnthropic } from './rules.ts';

/** Anthropic Messages with extended thinking: each reply begins with signed thinking. */
export const anthropic: Provider = {
  name: 'Anthropic Messages',
  packageName: '@ai-sdk/anthropic',
  modelAt: (baseURL) => createAnthropic({ apiKey: 'test-key', baseURL })('claude-sonnet-4-5'),
  settings: {
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } },
  },
  open(): Service {
    const signed = new Map<string, string>();
    return {
      faultOf(body) {
        const parsed = anthropicBody.safeParse(body);
        return parsed.success ? faultOfAnthropic(parsed.data, signed) : firstIssue(parsed.error);
      },
      reply(pieces, number) {
        const thinking = `Thought ${number}.`;
        const signature = `signature-${number}`;
        signed.set(signature, thinking);
        return wireReply(pieces, number, { thinking, signature });
      },
      error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    };
  },
};

function wireReply(
  pieces: readonly Piece[],
  number: number,
  { thinking, signature }: { readonly thinking: string; readonly signature: string },
): WireReply {
  const usage = { input_tokens: 20, output_tokens: 10 };
  const stopReason = pieces.some((piece) => 'call' in piece) ? 'tool_use' : 'end_turn';
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [],
    usage,
  };
  return {
    first: [
      event('message_start', { message }),
      ...blockEvents(0, { type: 'thinking', thinking: '' }, [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ]),
      ...pieces.flatMap((piece, at) => pieceEvents(piece, at + 1, number)),
    ],
    last: [
      event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
      event('message_stop', {}),
    ],
  };
}

function pieceEvents(piece: Piece, index: number, number: number): WireEvent[] {
  if ('text' in piece) {
    const deltas = halves(piece.text).map((text) => ({ type: 'text_delta', text }));
    return blockEvents(index, { type: 'text', text: '' }, deltas);
  }
  const id = piece.id ?? idAt(`${number}-${index}`, { length: 24, prefix: 'toolu_' });
  const deltas = halves(JSON.stringify(piece.input)).map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
  return blockEvents(index, { type: 'tool_use', id, name: piece.call, input: {} }, deltas);
}

function blockEvents(index: number, content_block: object, deltas: readonly object[]): WireEvent[] {
  return [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

function event(type: string, more: object): WireEvent {
  return { name: type, data: { type, ...more } };
}
