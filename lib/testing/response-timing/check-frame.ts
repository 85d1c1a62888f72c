import type { UIMessageChunk } from 'ai';
import { isBeside, isFrame, isLastingData, isOutcome, isReport, lifecycleOf } from './chunk-kinds.ts';
import { blame, type TimedResponse, type TimedTurn } from './timed-turn.ts';
import type { TimingRule } from './violation.ts';

/**
 * The rules for every response in both release modes: one message id (T4), a step before the first part (T5), data that
 * is transient or in its place (T6), never empty (T15), and a proper end (T16, or the rule for the response's shape).
 *
 * @source T4-T6, T15, T16
 */
export function checkFrame(turn: TimedTurn, response: TimedResponse, shape: TimingRule): void {
  const { chunks } = response;
  checkBeginning(turn, response, shape);
  checkEnd(turn, response, shape);

  const firstPart = chunks.findIndex((chunk) => !isFrame(chunk) && !isBeside(chunk));
  const firstStep = chunks.findIndex((chunk) => chunk.type === 'start-step');
  if (firstPart !== -1 && (firstStep === -1 || firstStep > firstPart)) {
    blame(
      turn,
      response,
      'T5',
      'a part comes before the first start-step',
      ...chunks.slice(firstPart, firstPart + 1),
    );
  }

  checkData(turn, response, shape);

  const errors = chunks.filter((chunk) => chunk.type === 'error');
  if (errors.length > 1) blame(turn, response, 'T15', 'more than one error chunk', ...errors);
  // A turn that is stopped before its first text has nothing to release. A later response always has an outcome.
  const stoppedAtOnce = response.index === 0 && chunks.at(-1)?.type === 'abort';
  if (!stoppedAtOnce && isEmpty(response)) {
    blame(turn, response, 'T15', 'the response has no question, text, outcome or error', ...chunks);
  }
}

/** Whether a response has no question, text, outcome or error. */
export function isEmpty({ kind, chunks }: TimedResponse): boolean {
  return kind === 'final' && !chunks.some((chunk) => chunk.type === 'error' || hasContent(chunk));
}

function hasContent(chunk: UIMessageChunk): boolean {
  return isOutcome(chunk) || (chunk.type === 'text-delta' && chunk.delta !== '');
}

function checkBeginning(turn: TimedTurn, response: TimedResponse, shape: TimingRule): void {
  const { chunks } = response;
  const starts = chunks.filter((chunk) => chunk.type === 'start');
  const [start] = starts;
  const expected = turn.responses[0]?.chunks.find((chunk) => chunk.type === 'start')?.messageId;
  if (start?.messageId === undefined) {
    blame(turn, response, 'T4', 'no start chunk with a messageId', ...starts);
  } else if (expected !== undefined && start.messageId !== expected) {
    blame(
      turn,
      response,
      'T4',
      `messageId is ${start.messageId}, but the turn began with ${expected}`,
      start,
    );
  }
  if (start && chunks[0] !== start)
    blame(turn, response, shape, 'start is not the first chunk', ...chunks.slice(0, 1));
  if (starts.length > 1) blame(turn, response, shape, 'more than one start', ...starts);
}

function checkEnd(turn: TimedTurn, response: TimedResponse, shape: TimingRule): void {
  const { chunks, brokenOff } = response;
  const broken = chunks.filter((chunk) => chunk.type === 'error' || chunk.type === 'abort');
  if (broken.length > 0 && (!brokenOff || chunks.some((chunk) => chunk.type === 'finish'))) {
    blame(turn, response, 'T16', 'error or abort is not the last chunk', ...broken);
  }
  if (broken.length > 0) return;
  const end = chunks.slice(-2);
  // A response without any step mark is one fault, reported as T5.
  const hasMarks = chunks.some(({ type }) => type === 'start-step' || type === 'finish-step');
  if ((hasMarks && end[0]?.type !== 'finish-step') || end.at(-1)?.type !== 'finish') {
    blame(turn, response, shape, 'the response does not end with finish-step, finish', ...end);
  }
  for (const chunk of chunks) {
    if (chunk.type === 'finish' && chunk.finishReason === 'interrupted') {
      blame(
        turn,
        response,
        shape,
        'finishReason interrupted stops clients from sending their answers',
        chunk,
      );
    }
  }
}

function checkData(turn: TimedTurn, response: TimedResponse, shape: TimingRule): void {
  const fault = (message: string, chunk: UIMessageChunk) => blame(turn, response, 'T6', message, chunk);
  let hasOutcome = false;
  for (const chunk of response.chunks) {
    hasOutcome ||= isOutcome(chunk);
    const change = lifecycleOf(chunk);
    if (change && 'output' in change && change.phase !== 'progressed') {
      fault('a lifecycle chunk carries the output', chunk);
    }
    if (!isLastingData(chunk)) continue;
    if (isReport(chunk)) fault(`${chunk.type} is not transient, so it becomes part of the message`, chunk);
    else if (shape === 'T11') continue;
    else if (response.kind !== 'final') fault(`${chunk.type} is not withheld until the last answer`, chunk);
    else if (hasOutcome) fault(`${chunk.type} comes after an outcome; data comes with the text`, chunk);
  }
}
