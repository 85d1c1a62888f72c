import type { UIMessageChunk } from 'ai';
import { output, response, shownCall, text } from '../chunks/chunk-builders.ts';
import { type ClientHistory, readClientHistory } from './client-history.ts';
import type { Exchange, Misbehaviour } from './misbehaviour.ts';
import * as edit from './response-edits.ts';

/**
 * Trusts the client's history: approvals that were never requested, other arguments than those shown, and text that
 * nobody wrote.
 */
export const historyBelieved: Misbehaviour = {
  name: 'history-believed',
  rule: 'T12',
  summary: "The client's history is trusted, approvals included.",
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
