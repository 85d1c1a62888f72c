import type { UIMessageChunk } from 'ai';
import {
  callIdOf,
  isBeside,
  isFrame,
  isOutcome,
  isQuestion,
  lifecycleOf,
  type QuestionChunk,
} from './chunk-kinds.ts';
import type { TimingOptions, TimingRule, Violation } from './violation.ts';

/** One response of a turn, and its purpose: to ask, to hand a call to the client, or to end the turn. */
export type TimedResponse = {
  index: number;
  chunks: readonly UIMessageChunk[];
  /** The chunks that become parts of the message, in order. */
  body: readonly UIMessageChunk[];
  kind: 'question' | 'hand-over' | 'final';
  question: QuestionChunk | undefined;
  /** Whether it ends with `error` or `abort` instead of `finish`. */
  brokenOff: boolean;
};

/** A turn that is being checked: its responses, what is known of its calls, and the violations found so far. */
export type TimedTurn = {
  responses: readonly TimedResponse[];
  clientTools: ReadonlySet<string>;
  finished: boolean;
  /** Answers by approval id, from the options and from the stream. */
  answers: ReadonlyMap<string, boolean>;
  /** Tool names by call id, for every call that was shown. */
  toolNames: ReadonlyMap<string, string>;
  violations: Violation[];
};

/** Prepares a list of responses for the checks. */
export function timedTurn(responses: readonly UIMessageChunk[][], options: TimingOptions): TimedTurn {
  const clientTools = new Set(options.clientTools ?? []);
  const answers = new Map(Object.entries(options.answers ?? {}));
  const toolNames = new Map<string, string>();
  for (const chunk of responses.flat()) {
    if (chunk.type === 'tool-approval-response') answers.set(chunk.approvalId, chunk.approved);
    if ('toolCallId' in chunk && 'toolName' in chunk) toolNames.set(chunk.toolCallId, chunk.toolName);
  }
  return {
    responses: responses.map((chunks, index) => timedResponse(chunks, index, clientTools)),
    clientTools,
    finished: options.finished ?? false,
    answers,
    toolNames,
    violations: [],
  };
}

function timedResponse(
  chunks: readonly UIMessageChunk[],
  index: number,
  clientTools: ReadonlySet<string>,
): TimedResponse {
  const body = chunks.filter((chunk) => !isFrame(chunk) && !isBeside(chunk));
  const question = body.find(isQuestion);
  const last = body.at(-1);
  const isHandOver =
    last?.type === 'tool-input-available' && clientTools.has(last.toolName) && last.providerExecuted !== true;
  const end = chunks.at(-1)?.type;
  return {
    index,
    chunks,
    body,
    kind: question ? 'question' : isHandOver ? 'hand-over' : 'final',
    question,
    brokenOff: end === 'error' || end === 'abort',
  };
}

/** Records a violation. */
export function blame(
  turn: TimedTurn,
  response: TimedResponse,
  rule: TimingRule,
  message: string,
  ...chunks: readonly UIMessageChunk[]
): void {
  turn.violations.push({ rule, response: response.index, message, chunks: [...chunks] });
}

/** Whether a call belongs to a client tool. */
export function isClientCall(turn: TimedTurn, toolCallId: string): boolean {
  return turn.clientTools.has(turn.toolNames.get(toolCallId) ?? '');
}

/** The questions asked before a response, oldest first. */
export function questionsBefore(turn: TimedTurn, response: TimedResponse): QuestionChunk[] {
  return turn.responses.slice(0, response.index).flatMap(({ body }) => body.filter(isQuestion));
}

/** The ids of the calls shown before a response starts. */
export function shownBefore(turn: TimedTurn, response: TimedResponse): Set<string> {
  const shown = new Set<string>();
  for (const { body } of turn.responses.slice(0, response.index)) {
    for (const chunk of body) {
      const id = callIdOf(chunk);
      if (id !== undefined) shown.add(id);
    }
  }
  return shown;
}

/** The ids of the turn's calls in the order the model made them, as far as lifecycle chunks report it. */
export function callOrder(turn: TimedTurn): string[] {
  const order = new Set<string>();
  for (const { chunks } of turn.responses) {
    for (const chunk of chunks) {
      const change = lifecycleOf(chunk);
      if (change?.phase === 'requested' && typeof change.toolCallId === 'string')
        order.add(change.toolCallId);
    }
  }
  return [...order];
}

/** The outcome chunks of a response, in order. */
export function outcomesOf(response: TimedResponse) {
  return response.body.filter(isOutcome);
}
