import { redactParsed } from '../../log/redaction.ts';
import type { Call } from '../../log/turn/turn.ts';
import {
  type ApprovalId,
  CountersignError,
  type JsonValue,
  type Principal,
  type Question,
} from '../../protocol/index.ts';
import { rightToAnswer } from '../../rights/right-to-answer.ts';
import { editedBy } from '../../rights/ruled-question.ts';
import { requireStepUp } from '../../rights/step-up.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { makePreview } from '../../run/preview/make-preview.ts';
import { currentPreview } from '../../run/preview/remake-preview.ts';
import { describeCall } from '../../settings/tools/tool-details.ts';

import { editedInput } from './edit/edit.ts';
import { openQuestion } from './open-question.ts';
import { forbidden } from './refusals.ts';

/** A request for what an open question would show. @source ADR 0040 */
export type PreviewRequest = {
  readonly principal: Principal;
  readonly approvalId: ApprovalId;
  /** Edited arguments. Default: those of the question. */
  readonly input?: unknown;
};

/** What a question shows for certain arguments: the sentence, and the effect if the tool has a `preview`. */
export type PreviewedCall = Pick<Question, 'description' | 'preview'>;

type Refreshing = Map<ApprovalId, ReturnType<typeof currentPreview>>;

/** Requests at the same time for one question share one preview, which may query a database. */
export function createPreviews(engine: Engine): (request: PreviewRequest) => Promise<PreviewedCall> {
  const refreshing: Refreshing = new Map();
  return (request) => previewQuestion(engine, refreshing, request);
}

/**
 * What an open question would show for these arguments, which are not recorded. Without any, its own effect is
 * determined again if it is older than a minute.
 *
 * @throws CountersignError `not-found`, `forbidden`, `step-up-required`, `invalid-request`; as a settled question
 * @source ADR 0040, H10
 */
async function previewQuestion(
  engine: Engine,
  refreshing: Refreshing,
  { approvalId, principal, input }: PreviewRequest,
): Promise<PreviewedCall> {
  const { question, open } = await openQuestion(engine, approvalId, principal);
  if (!(await rightToAnswer(engine.settings, principal, question))) {
    throw forbidden(approvalId, 'is for somebody else to answer');
  }
  const ofTurn = await engine.forTurn(open);
  if (input !== undefined)
    return previewEdited(ofTurn, open.call, { approvalId, principal, question, input });
  const made = refreshing.get(approvalId) ?? currentPreview(ofTurn, open.head, open.call);
  refreshing.set(approvalId, made);
  const preview = await made.finally(() => refreshing.delete(approvalId));
  return { description: question.description, preview: preview && { ...preview.preview, at: preview.at } };
}

/** Edited arguments may make a tool read other data, so this requires the same rights as approving them. */
async function previewEdited(
  engine: TurnEngine,
  call: Call,
  { approvalId, principal, question, input }: PreviewRequest & { readonly question: Question },
): Promise<PreviewedCall> {
  const { settings, clock } = engine;
  const { toolName, secrets, form } = call.requested;
  if (form !== undefined) {
    throw new CountersignError(
      'invalid-request',
      `Question ${approvalId} is a form. It has no effect to preview.`,
      {
        approvalId,
      },
    );
  }
  requireStepUp(settings, principal, question);
  const edited = await editedInput(engine, call, { approvalId, input });
  const shown = redactParsed(edited.parsed.json, edited.input, secrets?.input) as JsonValue;
  if (!(await rightToAnswer(settings, principal, editedBy(principal, question, shown)))) {
    throw forbidden(approvalId, 'may not be answered by you with these arguments');
  }
  const description = describeCall(
    settings,
    toolName,
    redactParsed(edited.parsed.value, edited.input, secrets?.input),
  );
  const preview = await makePreview(engine, call, edited.input);
  return { description, preview: preview && { ...preview, at: clock.now() } };
}
