import type { UIMessageChunk } from 'ai';
import { checkContinuedAnswer } from './check-continued-answer.ts';
import { checkOutcomeList } from './check-outcome-list.ts';
import { checkProseBlocks } from './check-prose-blocks.ts';
import { isOutcome, isProse } from './chunk-kinds.ts';
import { blame, isClientCall, shownBefore, type TimedResponse, type TimedTurn } from './timed-turn.ts';

/** A call that is shown directly before its outcome. */
type Shown = { id: string; complete: boolean; automatic: string | undefined };

/**
 * The response after the last answer: all text, then every withheld outcome, each call that was not shown yet directly
 * before its own.
 *
 * @source T3
 */
export function checkFinalResponse(turn: TimedTurn, response: TimedResponse): void {
  const rest = checkContinuedAnswer(turn, response, 'T3');
  const known = shownBefore(turn, response);
  const fault = (message: string, chunk: UIMessageChunk) => blame(turn, response, 'T3', message, chunk);
  let shown: Shown | undefined;
  let hasOutcome = false;

  for (const chunk of rest) {
    if (isProse(chunk)) {
      if (hasOutcome) fault(`${chunk.type} comes after an outcome; text comes first`, chunk);
      continue;
    }
    hasOutcome = true;
    const id = 'toolCallId' in chunk ? chunk.toolCallId : undefined;
    if (shown && id !== undefined && id !== shown.id) {
      fault(`call ${shown.id} is shown, but its outcome does not follow`, chunk);
      shown = undefined;
    }
    switch (chunk.type) {
      case 'tool-input-start':
        if (shown || known.has(chunk.toolCallId)) fault(`call ${chunk.toolCallId} is shown twice`, chunk);
        shown = { id: chunk.toolCallId, complete: false, automatic: undefined };
        break;
      case 'tool-input-delta':
        if (!shown) fault(`call ${chunk.toolCallId} has not started`, chunk);
        break;
      case 'tool-input-available':
        if (shown) shown.complete = true;
        else fault(`call ${chunk.toolCallId} is shown without tool-input-start`, chunk);
        break;
      case 'tool-approval-request':
        if (shown?.complete) shown.automatic = chunk.approvalId;
        else fault(`an automatic approval of call ${chunk.toolCallId}, which is not being shown`, chunk);
        break;
      case 'tool-approval-response':
        if (shown?.automatic !== chunk.approvalId) fault('an approval response without its request', chunk);
        else shown.automatic = undefined;
        break;
      case 'tool-output-available':
      case 'tool-output-error':
      case 'tool-output-denied':
        if (!isOutcome(chunk)) fault('a preliminary output is not withheld', chunk);
        else if (shown && !shown.complete)
          fault(`call ${shown.id} is not shown completely before its outcome`, chunk);
        else if (shown?.automatic !== undefined) fault('an automatic approval without its response', chunk);
        else if (!shown && !known.has(chunk.toolCallId)) {
          fault(`the outcome of call ${chunk.toolCallId}, which was never shown`, chunk);
        }
        if (!isOutcome(chunk)) break;
        known.add(chunk.toolCallId);
        shown = undefined;
        break;
      case 'tool-input-error':
        if (known.has(chunk.toolCallId)) fault(`call ${chunk.toolCallId} is shown twice`, chunk);
        known.add(chunk.toolCallId);
        shown = undefined;
        break;
      default:
        fault(`${chunk.type} is not allowed in a final response`, chunk);
    }
    if (id !== undefined && isClientCall(turn, id) && !namesExecutor(chunk)) {
      fault(`the outcome of client call ${id}, settled by the server, must have providerExecuted`, chunk);
    }
  }
  if (shown) blame(turn, response, 'T3', `call ${shown.id} is shown, but has no outcome`);
  checkProseBlocks(turn, response, 'T3');
  checkOutcomeList(turn, response);
}

/** Whether `providerExecuted` is true, or the chunk has no such field. */
function namesExecutor(chunk: UIMessageChunk): boolean {
  switch (chunk.type) {
    case 'tool-input-start':
    case 'tool-input-available':
    case 'tool-input-error':
    case 'tool-output-available':
    case 'tool-output-error':
      return chunk.providerExecuted === true;
    default:
      return true;
  }
}
