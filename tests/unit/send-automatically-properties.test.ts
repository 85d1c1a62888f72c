import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as bidi from '../../lib/bidi/send-automatically-when.ts';
import * as sse from '../../lib/sse/send-automatically-when.ts';
import * as make from './send-automatically-parts.ts';

const ids = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const callOf = fc.constantFrom(
  make.called,
  make.asked,
  make.approved,
  make.denied,
  make.output,
  make.failed,
  make.refused,
);
const call = fc.tuple(callOf, ids).map(([build, id]) => build(id));
const clientCall = call.map(make.here);
const standIn = fc.tuple(call, ids).map(([part, id]) => make.guarding(id, part));
const other = fc.constantFrom(
  make.text(''),
  make.text('Hi.'),
  make.reasoning,
  make.data,
  make.source,
  make.file,
);
const stepMark = fc.constant(make.mark);

const parts = fc.array(fc.oneof(call, clientCall, standIn, other, stepMark), { maxLength: 12 });
const oneResponse = fc.array(fc.oneof(call, clientCall, other), { maxLength: 8 });

const oddPart = fc.oneof(
  fc.anything({ withNullPrototype: true }),
  fc.record(
    {
      type: fc.oneof(fc.constantFrom('text', 'step-start', 'dynamic-tool', 'tool-x'), fc.string()),
      state: fc.anything(),
      approval: fc.anything(),
      input: fc.anything(),
      toolName: fc.anything(),
      toolCallId: fc.anything(),
    },
    { requiredKeys: [] },
  ),
);

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

describe.each([
  ['sse', sse],
  ['bidi', bidi],
] as const)('sendAutomaticallyWhen over %s, for any message', (_, transport) => {
  const predicates = [
    transport.sendAutomaticallyWhen,
    transport.createSendAutomaticallyWhen({ clientTools: ['get_location'] }),
  ];

  it('never throws, and returns a boolean', () => {
    fc.assert(
      fc.property(fc.array(oddPart), fc.anything(), (odd, messages) => {
        for (const predicate of predicates) {
          expect(typeof predicate({ messages: make.chatWith(odd) })).toBe('boolean');
          expect(typeof predicate({ messages: make.messagesOf(messages) })).toBe('boolean');
        }
      }),
    );
  });

  it('is pure: it accepts frozen messages and returns the same answer twice', () => {
    fc.assert(
      fc.property(parts, (list) => {
        const messages = freeze(make.chatWith(structuredClone(list)));
        for (const predicate of predicates) expect(predicate({ messages })).toBe(predicate({ messages }));
      }),
    );
  });

  it('never sends again after a reply in a new step [P4]', () => {
    const reply = other.filter((part) => part.type !== 'text' || ('text' in part && part.text !== ''));
    fc.assert(
      fc.property(parts, reply, (list, part) => {
        const messages = make.chatWith([...list, make.mark, part]);
        for (const predicate of predicates) expect(predicate({ messages })).toBe(false);
      }),
    );
  });

  it('never sends again after text that follows the answer in an unmarked message [P4]', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(call, clientCall, standIn, other)), (list) => {
        const messages = make.chatWith([...list, make.text('Paid.')]);
        for (const predicate of predicates) expect(predicate({ messages })).toBe(false);
      }),
    );
  });

  it('never sends while a question of the newest response is open [P5]', () => {
    fc.assert(
      fc.property(parts, oneResponse, (earlier, newest) => {
        const messages = make.chatWith([...earlier, make.mark, ...newest, make.asked('open')]);
        for (const predicate of predicates) expect(predicate({ messages })).toBe(false);
      }),
    );
  });

  it('without client tools returns the same as the plain predicate [P8]', () => {
    const created = transport.createSendAutomaticallyWhen({ clientTools: [] });
    fc.assert(
      fc.property(parts, (list) => {
        const messages = make.chatWith(list);
        expect(created({ messages })).toBe(transport.sendAutomaticallyWhen({ messages }));
      }),
    );
  });
});

describe('the two predicates of sendAutomaticallyWhen, compared', () => {
  it('differ over SSE only in ignoring what is before the last mark, apart from confirmation calls [P1, P6]', () => {
    fc.assert(
      fc.property(parts, parts, oneResponse, (one, another, newest) => {
        const first = { messages: make.chatWith([...one, make.mark, ...newest]) };
        const second = { messages: make.chatWith([...another, make.mark, ...newest]) };
        expect(sse.sendAutomaticallyWhen(first)).toBe(sse.sendAutomaticallyWhen(second));
      }),
    );
  });

  it('agree on a message of a single response [P1]', () => {
    fc.assert(
      fc.property(
        oneResponse,
        fc.array(standIn, { maxLength: 3 }),
        fc.boolean(),
        (newest, standIns, marked) => {
          const list = marked ? [make.mark, ...newest, ...standIns] : [...newest, ...standIns];
          const messages = make.chatWith(list);
          expect(sse.sendAutomaticallyWhen({ messages })).toBe(bidi.sendAutomaticallyWhen({ messages }));
        },
      ),
    );
  });
});
