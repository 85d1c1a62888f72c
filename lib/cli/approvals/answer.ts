import { z } from 'zod';
import { isSameJson } from '../../protocol/index.ts';
import type { NewAnswerJson } from '../../protocol/wire/new-answer.ts';
import { previewSchema } from '../../protocol/wire/preview.ts';
import type { OptionJson, QuestionJson } from '../../protocol/wire/question.ts';
import type { Remember } from '../../protocol/wire/remember.ts';
import { type Terminal, UsageError } from '../command.ts';
import { answererOf } from './answerer.ts';
import { cardLines } from './card.ts';
import { changeLines, edited } from './edit.ts';
import { effectLines } from './effect.ts';
import { Refusal } from './exit-code.ts';
import { type Details, detailsOf, pathOf, readQuestion, shownDigest } from './question.ts';
import type { Server } from './server.ts';
import { paintFor } from './style.ts';
import { shownText } from './terminal-text.ts';

/** What a person says on the command line. */
export type Said = Pick<NewAnswerJson, 'reason'> & {
  readonly remember?: Remember;
  readonly id: string;
  readonly approved: boolean;
  readonly edit: boolean;
  /** The id of an option of the question. */
  readonly option?: string;
  /** The answer to a question with `needsValue`, as JSON. */
  readonly value?: string;
  /** Do not ask for confirmation. */
  readonly yes: boolean;
  /** The digest of what the person has seen before. */
  readonly digest?: string;
};

const previewedSchema = z.object({ description: z.string(), preview: previewSchema.optional() });

/**
 * Answers a question, as it is shown now. What was shown is sent with the answer.
 *
 * @param show prints what is answered
 * @returns the answered question, as the server sent it
 * @throws Refusal, UsageError
 * @source H10, ADR 0044.4
 */
export async function answer(
  server: Server,
  said: Said,
  terminal: Terminal,
  show: (line: string) => void,
): Promise<Details> {
  const read = await readQuestion(server, said.id);
  assertAnswerable(read.approval, said);
  const details = await withCurrentEffect(server, read, said);
  const { approval } = details;
  const paint = paintFor(terminal);
  for (const line of cardLines(details, paint, Date.now())) show(line);
  if (said.digest !== undefined && said.digest !== shownDigest(approval)) {
    const message =
      'The question or its effect is not what was shown with this --digest. Nothing was answered.';
    throw new Refusal({ code: 'input-mismatch', message });
  }
  const option = optionOf(approval, said);
  const value = said.value === undefined ? undefined : jsonOf(said.value);
  const edit = said.edit && said.approved ? await editedCall(server, details, terminal, show) : undefined;
  await confirm(approval, said, terminal, edit !== undefined);
  const preview = edit ? edit.preview : approval.preview;
  const reason = said.reason ?? (await reasonFor(approval, said, terminal));
  const answer: NewAnswerJson = {
    approved: said.approved,
    reason,
    plugins: said.remember && { remembered: said.remember },
    option: option?.id,
    value,
    ...(edit && { [approval.needsValue ? 'value' : 'input']: edit.input }),
    digest: approval.digest,
    previewDigest:
      said.approved && option?.input === undefined && preview?.state === 'made' ? preview.digest : undefined,
  };
  return detailsOf(await server.request('POST', pathOf(said.id), answer));
}

function assertAnswerable(approval: QuestionJson, { approved, edit, remember }: Said): void {
  const { id, state, answer: standing, mayAnswer, mayEdit, mayRemember, whoMayAnswer, stepUp } = approval;
  if (approval.hasAnswered) {
    const message = `You have already voted on question ${id}. It waits for others.`;
    throw new Refusal({ code: 'already-answered', message });
  }
  if (state !== 'open') {
    const by = standing === undefined ? '' : ` by ${answererOf(standing)}`;
    const code = standing ? 'already-answered' : 'superseded';
    throw new Refusal({ code, message: `Question ${id} is already ${state}${by}.`, answer: standing });
  }
  if (!mayAnswer) {
    throw new Refusal({
      code: 'forbidden',
      message: whoMayAnswer ?? `Question ${id} is for another person.`,
    });
  }
  if (stepUp?.needed) {
    const message = `Question ${id} needs a recent sign-in.`;
    throw new Refusal({ code: 'step-up-required', message, stepUp });
  }
  if (approved && edit && !mayEdit) {
    throw new Refusal({ code: 'forbidden', message: 'You may not approve other arguments of this call.' });
  }
  if (remember && !mayRemember) {
    throw new Refusal({ code: 'forbidden', message: 'An approval of this call cannot be remembered.' });
  }
}

/** @throws UsageError */
function optionOf(
  { id, options = [] }: QuestionJson,
  { option, approved, edit, value }: Said,
): OptionJson | undefined {
  if (option === undefined) return undefined;
  if (edit || value !== undefined)
    throw new UsageError('Give --option, --edit or --value, not several of them.');
  const found = options.find((each) => each.id === option);
  const known = options.map((each) => each.id).join(', ');
  if (!found) throw new UsageError(`Question ${id} does not have this option. It has: ${known || 'none'}.`);
  if ((found.then === 'approve') === approved) return found;
  throw new UsageError(`The option ${found.id} is one to ${found.then} with.`);
}

/** @throws UsageError */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError('--value must be JSON.', { cause });
  }
}

/** An effect that was shown a while ago is determined again, so that the person decides on the current one. */
async function withCurrentEffect(server: Server, details: Details, { approved }: Said): Promise<Details> {
  const { approval } = details;
  if (!approved || !approval.preview) return details;
  const previewed = await previewedOf(server, approval.id, {});
  return { ...details, approval: { ...approval, ...previewed } };
}

async function previewedOf(server: Server, id: string, body: object) {
  const { data } = previewedSchema.safeParse(await server.request('POST', `${pathOf(id)}/preview`, body));
  if (data) return data;
  throw new Refusal({ code: 'internal', message: 'The server sent no preview.' });
}

async function editedCall(
  server: Server,
  { approval }: Details,
  terminal: Terminal,
  show: (line: string) => void,
) {
  const before = approval.needsValue ? {} : approval.input;
  const input = await edited(before, terminal);
  if (approval.needsValue) return { input, preview: undefined };
  if (isSameJson(before, input)) {
    show('No changes: it is approved as proposed.');
    return undefined;
  }
  const { description, preview } = await previewedOf(server, approval.id, { input }).catch(
    noPreview(approval),
  );
  show('Changes:');
  for (const line of changeLines(before, input)) show(line);
  if (description !== undefined) show(`With these arguments: ${shownText(description)}`);
  for (const line of effectLines(preview, Date.now())) show(line);
  return { input, preview };
}

/** A form that a running call shows has no preview. The server checks its values when they are sent. */
function noPreview({ toolName }: QuestionJson) {
  return (error: unknown): Partial<z.infer<typeof previewedSchema>> => {
    const isForm = toolName.endsWith('/ask') && error instanceof Refusal && error.code === 'invalid-request';
    if (isForm && error.fields.fieldErrors === undefined) return {};
    throw error;
  };
}

/** @throws UsageError if a confirmation is needed and nobody can type; Refusal if the person does not confirm */
async function confirm(
  approval: QuestionJson,
  said: Said,
  { prompt }: Terminal,
  isEdited: boolean,
): Promise<void> {
  const isHigh = approval.risk === 'high';
  if (!said.approved || said.yes || !(isHigh || (isEdited && prompt))) return;
  if (!prompt) throw new UsageError('The risk is high: look at the question, and give --yes.');
  const question = isHigh
    ? 'The risk is high. Approve? Type yes: '
    : 'Approve with these changes? Type yes: ';
  if ((await prompt(question)).trim().toLowerCase() === 'yes') return;
  throw new Refusal({ code: 'not-confirmed', message: 'Not confirmed. Nothing was answered.' });
}

async function reasonFor(
  { reasonOnDeny }: QuestionJson,
  { approved }: Said,
  { prompt }: Terminal,
): Promise<string | undefined> {
  if (approved || !reasonOnDeny || !prompt) return undefined;
  const reason = (await prompt('Reason (optional): ')).trim();
  return reason === '' ? undefined : reason;
}
