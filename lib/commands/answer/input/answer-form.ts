import type { Call } from '../../../log/turn/turn.ts';
import { pathWithin } from '../../../protocol/field-path.ts';
import {
  type AnswerRequest,
  CountersignError,
  type EventBody,
  type EventOf,
  type JsonValue,
  toJson,
} from '../../../protocol/index.ts';
import { misfitOf } from '../../../run/asking/form.ts';

/**
 * The content of an approval of a question that a running call asks: what the person filled in, or else the
 * initial values of the form.
 *
 * @throws CountersignError `invalid-request`
 * @source ADR 0037
 */
export function contentOf(form: JsonValue, { requested }: Call, answer: AnswerRequest): JsonValue {
  const { approvalId, input, remember } = answer;
  if (remember) {
    throw new CountersignError(
      'invalid-request',
      `Question ${approvalId} is asked by a running call. Answer it without \`remember\`.`,
      { approvalId },
    );
  }
  const content = input === undefined ? requested.input : toJson(input);
  const misfit = misfitOf(form, content);
  if (misfit === undefined) return content;
  const { problem, name, ...pattern } = misfit;
  throw new CountersignError(
    'invalid-request',
    `The answer to question ${approvalId} does not fit its form: it ${problem}.`,
    {
      approvalId,
      toolCallId: requested.toolCallId,
      ...(name !== undefined && { misfits: [{ path: pathWithin('', name), ...pattern }] }),
    },
  );
}

/** What an approval of such a question records: there is nothing to execute, so it starts and ends immediately. */
export function approvalOf(
  answered: Omit<EventOf<'approval-answered'>, 'seq' | 'at' | 'runId'>,
  content: JsonValue,
): EventBody[] {
  const { toolCallId } = answered;
  const modelOutput = { type: 'text' as const, value: 'Answered.' };
  const end = { output: content, summary: 'Answered', resultCount: 1, modelOutput };
  return [
    { ...answered, input: content },
    { type: 'tool-started', toolCallId, input: content },
    { type: 'tool-completed', toolCallId, ...end },
  ];
}
