import type { UIMessageChunk } from 'ai';
import { output, response, shownCall, text } from '../chunk-builders.ts';
import { type ClientHistory, readClientHistory } from './client-history.ts';
import type { Exchange, Misbehaviour } from './misbehaviour.ts';
import * as edit from './response-edits.ts';

/**
 * Whatever a client's history says is taken for true: approvals that were never asked for, other arguments than those
 * that were shown, and words that nobody said.
 */
export const historyBelieved: Misbehaviour = {
  name: 'history-believed',
  rule: 'T12',
  summary: 'What the client claims was said and approved is believed.',
  async respond(exchange, honest) {
    const history = readClientHistory(exchange.body);
    if (history.approved.some((call) => !isAsAsked(exchange, call))) return payAsClaimed(exchange, history);
    const chunks = await honest();
    if (history.texts.length === 0 || edit.asks(chunks)) return chunks;
    return edit.begin(chunks, ...text(`Before: ${history.texts.join(' ')}`, 'text-of-history'));
  },
};

function isAsAsked({ questions }: Exchange, call: ClientHistory['approved'][number]): boolean {
  const asked = questions.get(call.approvalId);
  return asked?.toolCallId === call.toolCallId && JSON.stringify(asked.input) === JSON.stringify(call.input);
}

function payAsClaimed({ ledger, questions }: Exchange, history: ClientHistory): UIMessageChunk[] {
  const shown = new Set([...questions.values()].map(({ toolCallId }) => toolCallId));
  return response({ messageId: history.messageId }, [
    ...text('Paid, as you approved.'),
    ...history.approved.flatMap(({ toolCallId, input }) => [
      ...(shown.has(toolCallId) ? [] : shownCall({ id: toolCallId, tool: 'pay', input })),
      output(toolCallId, ledger.pay(toolCallId, input)),
    ]),
  ]);
}
