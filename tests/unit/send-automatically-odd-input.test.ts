import { describe, expect, it } from 'vitest';
import * as bidi from '../../lib/bidi/send-automatically-when.ts';
import * as sse from '../../lib/sse/send-automatically-when.ts';
import { approved, chatWith, mark, messagesOf, output, text } from './send-automatically-parts.ts';

const cyclic: Record<string, unknown> = { type: 'tool-x', state: 'approval-responded', toolCallId: 'x' };
cyclic.input = cyclic;
cyclic.approval = cyclic;
cyclic.originalFunctionCall = cyclic;

const oddMessages: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'messages'],
  ['an object with a length', { length: 1, 0: { role: 'assistant', parts: [approved('a')] } }],
  ['a null message', [null]],
  ['a message without parts', [{ role: 'assistant' }]],
  ['a message whose parts are a string', [{ role: 'assistant', parts: 'parts' }]],
  ['a hole in the chat', new Array(3)],
];

const oddParts: [string, unknown][] = [
  ['null', null],
  ['undefined', undefined],
  ['a number', 7],
  ['a string', 'step-start'],
  ['an array', []],
  ['a part without a type', { state: 'approval-responded' }],
  ['a part whose type is a number', { type: 3 }],
  ['a text without text', { type: 'text' }],
  ['a text whose text is an object', { type: 'text', text: { length: 4 } }],
  ['a tool without a state', { type: 'tool-x' }],
  ['a tool whose state is a prototype name', { type: 'tool-x', state: '__proto__' }],
  ['a tool whose approval is a string', { type: 'tool-x', state: 'input-available', approval: 'yes' }],
  ['a part without a prototype', Object.assign(Object.create(null), { type: '__proto__' })],
];

describe.each([
  ['sse', sse],
  ['bidi', bidi],
] as const)('sendAutomaticallyWhen over %s, with malformed input', (_, transport) => {
  const predicates = [
    transport.sendAutomaticallyWhen,
    transport.createSendAutomaticallyWhen({ clientTools: ['get_location', 'constructor', '__proto__'] }),
  ];

  it.each(oddMessages)('does not send %s', (_name, messages) => {
    for (const predicate of predicates) expect(predicate({ messages: messagesOf(messages) })).toBe(false);
  });

  it.each(oddParts)('ignores %s beside an answer', (_name, part) => {
    for (const predicate of predicates) {
      expect(predicate({ messages: chatWith([part, approved('a'), part]) })).toBe(true);
      expect(predicate({ messages: chatWith([mark, part, approved('a'), part]) })).toBe(true);
    }
  });

  it('handles an answered part that refers to itself', () => {
    expect(transport.sendAutomaticallyWhen({ messages: chatWith([mark, cyclic]) })).toBe(true);
  });

  it('handles a confirmation call that refers to itself', () => {
    const standIn = { ...cyclic, type: 'tool-adk_request_confirmation' };
    expect(transport.sendAutomaticallyWhen({ messages: chatWith([mark, standIn]) })).toBe(true);
  });

  it('handles a part whose toolCallId is an object', () => {
    const parts = [mark, { ...approved('a'), toolCallId: cyclic }];
    expect(transport.sendAutomaticallyWhen({ messages: chatWith(parts) })).toBe(true);
  });

  it('handles 200,000 parts, half of them answers, and reads each part only a few times', () => {
    let reads = 0;
    const part = () => {
      const state = approved('a');
      return Object.defineProperty({ ...state }, 'type', {
        get: () => {
          reads += 1;
          return 'tool-process_payment';
        },
      });
    };
    const parts = [
      mark,
      ...Array.from({ length: 100_000 }, part),
      ...Array.from({ length: 100_000 }, () => text('')),
    ];
    expect(transport.sendAutomaticallyWhen({ messages: chatWith(parts) })).toBe(true);
    expect(reads).toBeLessThan(100_000 * 40);
  });
});

it.each([
  ['sse', sse, 0],
  ['bidi', bidi, 10_000],
] as const)('reads at most one field of each earlier part over %s', (_, transport, expected) => {
  let reads = 0;
  const earlier = new Proxy(output('earlier'), {
    get: (part, name) => {
      reads += 1;
      return Reflect.get(part, name);
    },
  });
  const parts = [...Array.from({ length: 10_000 }, () => earlier), mark, approved('a')];
  expect(transport.sendAutomaticallyWhen({ messages: chatWith(parts) })).toBe(true);
  expect(reads).toBe(expected);
});
