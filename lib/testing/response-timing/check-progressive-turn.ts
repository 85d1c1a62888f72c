import type { UIMessageChunk } from 'ai';
import { checkProseBlocks } from './check-prose-blocks.ts';
import { callIdOf, isBeside, isFrame, isOutcome, isQuestion } from './chunk-kinds.ts';
import { blame, type TimedResponse, type TimedTurn } from './timed-turn.ts';

/** What is known of a call in the message. */
type Call = { toolName: string; response: number; step: number; asked: boolean; settled: boolean };

/**
 * A turn whose text and outcomes are sent as they happen: one question at a time, as the last part, about a call first
 * shown in the same response. No call of a server tool is left without an outcome.
 *
 * @source T11, T13
 */
export function checkProgressiveTurn(turn: TimedTurn): void {
  const calls = new Map<string, Call>();
  const questions = new Set<string>();
  for (const response of turn.responses) {
    const fault = (message: string, ...chunks: UIMessageChunk[]) =>
      blame(turn, response, 'T11', message, ...chunks);
    checkSteps(turn, response);
    checkProseBlocks(turn, response, 'T11');
    readCalls(response, calls, questions, fault);
    checkLast(turn, response, calls);

    const isEnd = response.kind === 'final';
    for (const [id, call] of calls) {
      const mayWait = turn.clientTools.has(call.toolName) || (call.asked && !isEnd);
      if (!call.settled && !mayWait) fault(`call ${id} has no outcome when the response ends`);
    }
  }
}

/** Every part is inside a step. A repeated step starts with `reset-step`. */
function checkSteps(turn: TimedTurn, response: TimedResponse): void {
  // T5 reports a part before the first step mark.
  let open = true;
  for (const chunk of response.chunks) {
    if (chunk.type === 'start-step' || chunk.type === 'reset-step') open = true;
    else if (chunk.type === 'finish-step') open = false;
    else if (!open && !isFrame(chunk) && !isBeside(chunk)) {
      blame(turn, response, 'T11', 'a part is outside a step', chunk);
    }
  }
}

function readCalls(
  response: TimedResponse,
  calls: Map<string, Call>,
  questions: Set<string>,
  fault: (message: string, ...chunks: UIMessageChunk[]) => void,
): void {
  let step = 0;
  for (const chunk of response.chunks) {
    if (chunk.type === 'start-step') step += 1;
    if (chunk.type === 'reset-step') {
      for (const [id, call] of calls) {
        if (call.response === response.index && call.step === step) calls.delete(id);
      }
    }
    if (chunk.type === 'tool-approval-response' && !questions.has(chunk.approvalId)) {
      fault(`approval response ${chunk.approvalId} answers no question`, chunk);
    }
    const id = callIdOf(chunk);
    if (id === undefined || isBeside(chunk)) continue;
    const call = calls.get(id);
    if (chunk.type === 'tool-approval-request') {
      questions.add(chunk.approvalId);
      if (isQuestion(chunk) && (call?.response !== response.index || call.asked)) {
        fault(`call ${id} is not first shown in the response that asks for it`, chunk);
      }
      if (call && isQuestion(chunk)) call.asked = true;
    } else if (chunk.type === 'tool-input-start' || (!call && 'toolName' in chunk)) {
      if (call) fault(`call ${id} is shown twice`, chunk);
      calls.set(id, {
        toolName: chunk.toolName,
        response: response.index,
        step,
        asked: false,
        settled: isOutcome(chunk),
      });
    } else if (!call) fault(`${chunk.type} of call ${id}, which was never shown`, chunk);
    else if (isOutcome(chunk)) {
      if (call.settled) fault(`call ${id} has two outcomes`, chunk);
      call.settled = true;
    }
  }
}

/** A question, or a call handed to the client, is the last part of its response. */
function checkLast(turn: TimedTurn, response: TimedResponse, calls: ReadonlyMap<string, Call>): void {
  const { body, question } = response;
  const asked = body.findIndex(isQuestion);
  const behind = asked === -1 ? [] : body.slice(asked + 1);
  if (behind.length > 0) blame(turn, response, 'T11', 'the question is not the last part', ...behind);
  for (const [id, call] of calls) {
    if (call.response !== response.index || call.settled || !turn.clientTools.has(call.toolName)) continue;
    const own = body.findLastIndex((chunk) => callIdOf(chunk) === id);
    const after = body.slice(own + 1);
    if (after.length > 0 && question?.toolCallId !== id) {
      blame(turn, response, 'T13', `call ${id} is handed over, but not as the last part`, ...after);
    }
  }
}
