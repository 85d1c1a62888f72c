import { pathWithin } from '../../../protocol/field-path.ts';
import { CountersignError, type JsonValue, type Question } from '../../../protocol/index.ts';
import { writtenJson } from '../../../protocol/safe-json.ts';
import { fieldErrorOf } from '../../../run/asking/form.ts';
import type { Approves, DecidedRequest, Prepared, Preparing, Without } from '../given-answer.ts';
import { ruledWith } from '../ruled-with.ts';

/** An approval of a question that a running call asks. Without `input`, the initial values of its form. @source ADR 0037 */
export type Content = Approves & Without<'value'> & { readonly type: 'content'; readonly input: unknown };

export function parseContent(
  request: DecidedRequest,
  question: Pick<Question, 'waitsIn' | 'input'>,
): Content | undefined {
  if (!question.waitsIn) return undefined;
  const { input } = request;
  const content = { type: 'content', approved: true, value: undefined } as const;
  return {
    ...request,
    ...content,
    input: input ?? question.input,
    prepare: (asked) => prepare(asked, input),
  };
}

/** There is nothing to execute, so the call starts and ends immediately. */
async function prepare(asked: Preparing, given: unknown): Promise<Prepared> {
  const { requested } = asked.call;
  const { toolCallId } = requested;
  const content = given === undefined ? requested.input : writtenJson(given, 'The content of the form');
  assertFits(asked, content);
  const modelOutput = { type: 'text' as const, value: 'Answered.' };
  const end = { output: content, summary: 'Answered', resultCount: 1, modelOutput };
  return {
    // Filling in a form is no edit.
    ruled: ruledWith(asked, { input: content, parsed: { json: content } }),
    recorded: { input: content },
    ends: [
      { type: 'tool-started', toolCallId, input: content },
      { type: 'tool-completed', toolCallId, ...end },
    ],
  };
}

/** @throws CountersignError `invalid-request` with the field that does not fit */
function assertFits({ question, call }: Preparing, content: JsonValue): void {
  const { form, toolCallId } = call.requested;
  const fieldError = form === undefined ? undefined : fieldErrorOf(form, content);
  if (fieldError === undefined) return;
  const { problem, name, ...pattern } = fieldError;
  throw new CountersignError(
    'invalid-request',
    `The answer to question ${question.id} does not fit its form: it ${problem}.`,
    {
      approvalId: question.id,
      toolCallId,
      fieldErrors: name === undefined ? undefined : [{ path: pathWithin('', name), ...pattern }],
    },
  );
}
