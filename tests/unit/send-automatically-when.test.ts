import { describe, expect, it } from 'vitest';
import * as bidi from '../../lib/bidi/send-automatically-when.ts';
import * as sse from '../../lib/sse/send-automatically-when.ts';
import truthTable from './send-automatically.json' with { type: 'json' };
import { outcomeRows } from './send-automatically-outcome-rows.ts';
import { approved, chatWith, mark, messagesOf, text } from './send-automatically-parts.ts';
import { questionRows } from './send-automatically-question-rows.ts';

const transports = { sse, bidi };

function answer(transport: 'sse' | 'bidi', messages: unknown, clientTools?: string[]): boolean {
  const { sendAutomaticallyWhen, createSendAutomaticallyWhen } = transports[transport];
  const predicate = clientTools ? createSendAutomaticallyWhen({ clientTools }) : sendAutomaticallyWhen;
  return predicate({ messages: messagesOf(messages) });
}

describe.each(['sse', 'bidi'] as const)('sendAutomaticallyWhen over %s', (transport) => {
  it.each(truthTable)('agrees with the truth table: $name', (row) => {
    const messages = row.role === null ? [] : [{ id: 'm1', role: row.role, parts: row.parts }];
    expect(answer(transport, messages, row.clientTools)).toBe(row[transport]);
  });

  it.each(truthTable.filter((row) => row.clientTools === undefined))(
    'gives the same answer when created for no client tools: $name',
    (row) => {
      const messages = row.role === null ? [] : [{ id: 'm1', role: row.role, parts: row.parts }];
      expect(answer(transport, messages, [])).toBe(row[transport]);
    },
  );

  it.each([...questionRows, ...outcomeRows])('$title', (row) => {
    expect(answer(transport, chatWith(row.parts), row.clientTools)).toBe(row[transport]);
  });

  it('an answer in an earlier message does not count (P2)', () => {
    const earlier = chatWith([mark, approved('a')]);
    const user = { id: 'm3', role: 'user', parts: [text('Well?')] };
    const assistant = { id: 'm4', role: 'assistant', parts: [mark, text('Paid.')] };
    expect(answer(transport, [...earlier, user])).toBe(false);
    expect(answer(transport, [...earlier, user, assistant])).toBe(false);
  });

  it.each(['user', 'system', 'tool', undefined])('P2 a last message of role %s does not count', (role) => {
    expect(answer(transport, [{ id: 'm1', role, parts: [mark, approved('a')] }])).toBe(false);
  });

  it('keeps its own list of client tools (P8)', () => {
    const clientTools = ['get_location'];
    const predicate = transports[transport].createSendAutomaticallyWhen({ clientTools });
    const messages = chatWith([mark, { ...approved('g'), type: 'tool-get_location' }]);
    clientTools.pop();
    expect(predicate({ messages })).toBe(false);
  });
});
