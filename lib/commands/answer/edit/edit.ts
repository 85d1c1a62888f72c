import type { Call } from '../../../log/turn/turn.ts';
import { type AnswerRequest, CountersignError, redacted } from '../../../protocol/index.ts';
import { writtenJson } from '../../../protocol/safe-json.ts';
import { parseInput } from '../../../run/call/input/parse-input.ts';
import type { Engine } from '../../../run/engine.ts';
import { toolNamed } from '../../../settings/tools/tool-details.ts';
import type {
  Approves,
  DecidedRequest,
  Prepared,
  Preparing,
  Without,
  WrittenInput,
} from '../given-answer.ts';
import { ruledWith } from '../ruled-with.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { restoreSecrets } from './restore-secrets.ts';

export type Edit = Approves &
  Without<'value'> & {
    readonly type: 'edit';
    readonly input: unknown;
  };

export function parseEdit(request: DecidedRequest): Edit | undefined {
  const { input } = request;
  if (input === undefined) return undefined;
  const edit = { type: 'edit', approved: true, value: undefined } as const;
  return { ...request, ...edit, input, prepare: (asked) => prepare(asked, input) };
}

async function prepare(asked: Preparing, given: unknown): Promise<Prepared> {
  const { engine, call, question, principal } = asked;
  const written = await editedInput(engine, call, { approvalId: question.id, input: given });
  const { input, parsed } = written;
  const { runsAs } = parsed;
  const recorded = { input, runsAs };
  return { ruled: ruledWith(asked, written, principal), written, parsed, recorded };
}

/**
 * Checks edited arguments. Clients and providers run the arguments that they have.
 *
 * @throws CountersignError `invalid-request`
 */
export async function editedInput(
  engine: Engine,
  { requested }: Call,
  { input, approvalId }: Pick<AnswerRequest, 'input' | 'approvalId'>,
): Promise<WrittenInput> {
  const { toolCallId, toolName, secrets } = requested;
  if (!toolNamed(engine.settings, toolName) || requested.executor !== 'server') {
    throw new CountersignError('invalid-request', `The arguments of ${toolName} cannot be edited.`, {
      approvalId,
    });
  }
  const restored = secrets?.input ? restoreSecrets(input, requested.input, secrets.input) : { input };
  if (!restored) {
    throw new CountersignError(
      'invalid-request',
      `The edited arguments of question ${approvalId} hold ${redacted} where it cannot stand for what was hidden. ` +
        'Send the value itself, or leave the field, or the item of a list, as it was shown.',
      { approvalId, toolCallId },
    );
  }
  const edited = writtenJson(restored.input, 'The edited input');
  const parsed = await parseInput(engine, requested, edited);
  if (parsed.fits) return { input: edited, parsed };
  const fieldErrors = fieldErrorsOf(parsed.error, { hasSecrets: secrets?.input !== undefined });
  throw new CountersignError(
    'invalid-request',
    `The edited arguments of question ${approvalId} do not fit the schema of ${toolName}.`,
    { approvalId, toolCallId, fieldErrors: fieldErrors.length > 0 ? fieldErrors : undefined },
  );
}
