import type { UIMessageChunk } from 'ai';
import { denial, lifecycle, output } from '../chunks/chunk-builders.ts';
import { answerRunTwice } from './answer-run-twice.ts';
import { historyBelieved } from './history-believed.ts';
import type { Exchange, Misbehaviour } from './misbehaviour.ts';
import { parallelQuestions } from './parallel-questions.ts';
import * as edit from './response-edits.ts';

type Chunks = readonly UIMessageChunk[];

/** A misbehaviour that only changes the chunks of a correct response. */
function said(
  name: string,
  rule: Misbehaviour['rule'],
  summary: string,
  change: (honest: Chunks, exchange: Exchange) => Chunks,
): Misbehaviour {
  return {
    name,
    rule,
    summary,
    respond: async (exchange, honest) => {
      const chunks = await honest();
      if (!exchange.isRepeated) return change(chunks, exchange);
      return exchange.sentSince.length > 0 ? edit.joined(exchange.sentSince) : chunks;
    },
  };
}

/** Every misbehaviour of the kit. Each breaks one rule only. */
export const misbehaviours: readonly Misbehaviour[] = [
  said('text-in-first-response', 'T1', 'Text is sent with the first question.', (chunks, { turn }) =>
    turn.length === 0 ? edit.say(chunks, 'I shall pay them both.') : chunks,
  ),
  parallelQuestions,
  said('text-in-intermediate-response', 'T2', 'Text is sent with a later question.', (chunks, { turn }) =>
    turn.length > 0 && edit.asks(chunks) ? edit.say(chunks, 'The first one is settled.') : chunks,
  ),
  said('result-too-early', 'T2', 'A result is sent before the last answer.', (chunks, { turn, ledger }) => {
    const asked = edit.askedCall(turn.at(-1) ?? []);
    if (asked === undefined || edit.isFinal(chunks)) return chunks;
    const paid = ledger.lastOf(asked);
    return edit.begin(chunks, paid ? output(asked, paid) : denial(asked));
  }),
  said('outcomes-before-text', 'T3', 'The results come before the text.', edit.outcomesFirst),
  said('wrong-order', 'T3', 'The results are not in the order of their calls.', (chunks) =>
    edit.reorderOutcomes(chunks, (outcomes) => outcomes.reverse()),
  ),
  said('new-message-id', 'T4', 'Each response starts a new message.', (chunks, { turn }) =>
    chunks.map((chunk) =>
      chunk.type === 'start' ? { ...chunk, messageId: `${chunk.messageId}-${turn.length}` } : chunk,
    ),
  ),
  said('no-step-marks', 'T5', 'Responses have no step marks.', (chunks) =>
    chunks.filter(({ type }) => type !== 'start-step' && type !== 'finish-step'),
  ),
  said('lasting-data', 'T6', 'A data part that the message keeps is not withheld.', (chunks) =>
    edit.append(chunks, { type: 'data-progress', data: { done: true } }),
  ),
  said('run-before-answer', 'T7', 'A call runs before its question is answered.', (chunks, { ledger }) => {
    const asked = edit.askedCall(chunks);
    if (asked === undefined) return chunks;
    ledger.pay(asked, { to: 'Alice', amount: 30 });
    return edit.append(chunks, lifecycle(asked, 'started', { toolName: 'pay' }));
  }),
  said('denied-call-run', 'T8', 'A call runs although it was denied.', (chunks, { ledger }) =>
    chunks.map((chunk) =>
      chunk.type === 'tool-output-denied'
        ? output(chunk.toolCallId, ledger.pay(chunk.toolCallId, { to: 'Alice', amount: 30 }))
        : chunk,
    ),
  ),
  answerRunTwice,
  historyBelieved,
  said('empty-reply', 'T15', 'A response is empty.', (chunks) =>
    edit.isFinal(chunks) ? edit.emptied(chunks) : chunks,
  ),
  said('goes-on-after-error', 'T16', 'A response continues after its error.', (chunks) =>
    edit.isFinal(chunks) ? edit.append(chunks, { type: 'error', errorText: 'Something failed.' }) : chunks,
  ),
];
