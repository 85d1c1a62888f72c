import { halves, type Piece, type WireEvent, type WireReply } from '../reply.ts';

/**
 * A reply as chunks of Chat Completions, which Mistral streams as well.
 *
 * @param idOf the id of a call by its index in the reply
 */
export function chatReply(pieces: readonly Piece[], idOf: (index: number) => string): WireReply {
  const calls = pieces.filter((piece) => 'call' in piece);
  const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
  return {
    first: [
      chunk({ role: 'assistant', content: '' }),
      ...pieces.flatMap((piece) => deltasOf(piece, calls, idOf)),
    ],
    last: [
      chunk({}, { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }, { usage }),
      { data: '[DONE]' },
    ],
  };
}

function deltasOf(piece: Piece, calls: readonly Piece[], idOf: (index: number) => string): WireEvent[] {
  if ('text' in piece) return halves(piece.text).map((content) => chunk({ content }));
  const index = calls.indexOf(piece);
  const call = (more: object) => chunk({ tool_calls: [{ index, ...more }] });
  const [first = '', ...rest] = halves(JSON.stringify(piece.input));
  const id = piece.id ?? idOf(index);
  return [
    call({ id, type: 'function', function: { name: piece.call, arguments: first } }),
    ...rest.map((text) => call({ function: { arguments: text } })),
  ];
}

function chunk(delta: object, more: object = {}, ofChunk: object = {}): WireEvent {
  const choice = { index: 0, delta, finish_reason: null, ...more };
  return {
    data: {
      id: 'reply',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'fake',
      choices: [choice],
      ...ofChunk,
    },
  };
}
