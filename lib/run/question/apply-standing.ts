import { sealBefore } from '../../log/seal/seal-before.ts';
import type { ChatHead } from '../../log/store/index.ts';
import { earlyApproval } from '../../log/turn/early-approval.ts';
import { timesUnanswered } from '../../log/turn/times-unanswered.ts';
import { type Call, currentAsker, isImported, type Turn } from '../../log/turn/turn.ts';
import { isSameJson, type Principal, type Question, type Repeat, strikeOut } from '../../protocol/index.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import { mayStand } from '../../rights/rights-to.ts';
import { stepUpFor } from '../../rights/step-up.ts';
import { recordedIds, withCurrentId } from '../../settings/former-ids.ts';
import type { StandingClaim } from '../../settings/plugin/plugin-declaration.ts';
import type { Tools } from '../call/input/parse-input.ts';
import type { Run } from '../run.ts';
import { expectedQuestion } from './expected-question.ts';
import type { DueQuestion } from './question-due.ts';
import { definitionDigest } from './tool-definition.ts';

/** How often another writer may change what a plugin has found, before the question is asked. */
const mostAttempts = 10;

type Due = {
  readonly call: Call;
  readonly due: DueQuestion;
  readonly asker: Principal;
  readonly acting: Principal;
  readonly repeatOf: () => Promise<Repeat | undefined>;
};

/**
 * Uses a standing approval instead of a question that is due, if a plugin names one that holds. The use and the plugin's records
 * are one append, which is refused if the approval was revoked before. Without records, the use becomes durable with the start of the call.
 *
 * @returns false when the question must be asked
 * @throws Conflict
 * @source ADR 0015, ADR 0041, ADR 0056
 */
export async function applyStanding(
  run: Run,
  about: Pick<Due, 'call' | 'due' | 'repeatOf'>,
): Promise<boolean> {
  const { journal, runId, asker, acting, ids } = run;
  const { toolCallId, digest } = about.due;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const claim = await findStanding(run, journal, { ...about, asker, acting });
    if (!claim) return false;
    const { approval, plugin, records, isEarly } = claim;
    const { input, secrets } = about.call.requested;
    const reason = strikeOut(claim.reason, input, secrets?.input);
    const { id: grantId, by } = approval;
    const use = { approvalId: ids.approval(), toolCallId, grantId, plugin, by, digest, isEarly, reason };
    const event = { type: 'approval-granted' as const, ...use };
    if (records.length === 0) {
      journal.stage(runId, event);
      return true;
    }
    if (await journal.commitIf(records, runId, event)) return true;
  }
  return false;
}

/** A claim, and the plugin that makes it. */
type Claim = StandingClaim & { readonly plugin: string; readonly isEarly?: true | undefined };

type Parts = Tools & Pick<Run, 'auditor' | 'logger' | 'clock' | 'pauses'>;

/**
 * The first standing approval that a plugin names and that holds: the person who gave it could answer the question now, the tool
 * is what it was then, and the record proves it. One that the plugin keeps is of the person for whom the call is made; one that an
 * event of the chat has is of this call alone. None stands for an imported call, nor for one that was asked about again because
 * its question had ended without an answer.
 *
 * @source ADR 0015, ADR 0036, ADR 0048, ADR 0056
 */
export async function findStanding(
  parts: Parts,
  { head: chat, turn }: { readonly head: Pick<ChatHead, 'id' | 'ownerId'>; readonly turn: Turn },
  about: Due,
): Promise<Claim | undefined> {
  const { settings, clock, pauses } = parts;
  const { call, due, asker, repeatOf } = about;
  const plugins = (settings.plugins ?? []).filter(({ standing }) => standing);
  if (plugins.length === 0 || isImported(turn, call) || timesUnanswered(turn, call) > 0) return undefined;
  const question = expectedQuestion(call, due, chat);
  if (!question || !mayStand(settings, question)) return undefined;
  let ids: Promise<readonly string[]> | undefined;
  const askerIds = () => {
    ids ??= mayUse(parts, asker, question).then((may) => (may ? recordedIds(settings, asker) : []));
    return ids;
  };
  const asked = { settings, turn, call, question, askerIds, repeatOf, pauses, now: clock.now() };
  for (const { name: plugin, standing } of plugins) {
    for (const claim of (await standing?.(asked)) ?? []) {
      const isEarly = earlyApproval(plugin, call)?.approval === claim.approval || undefined;
      const named = { ...claim, plugin, isEarly };
      if (await holds(parts, question, about, named, askerIds)) return named;
    }
  }
  return undefined;
}

/** Whether a person could answer the question now, without a new sign-in. */
async function mayUse({ settings }: Parts, person: Principal, question: Question): Promise<boolean> {
  if (stepUpFor(settings, person, question.toolName)?.needed) return false;
  return mayAnswer(settings, person, question);
}

/** Whether the claim is of a person who may approve the call, for the tool as it is, and in the sealed record. */
async function holds(
  parts: Parts,
  question: Question,
  { call, due, acting }: Due,
  { approval, plugin, isEarly }: Claim,
  askerIds: () => Promise<readonly string[]>,
): Promise<boolean> {
  const { settings, logger } = parts;
  const { chatId, toolName } = question;
  if (approval.toolName !== toolName) return false;
  if (approval.definition !== (await definitionDigest(parts, toolName))) return false;
  if (isEarly) {
    if (!isSameJson(due.runsAs ?? null, call.requested.runsAs ?? null)) return false;
    // Another person may have let the run continue. The one who approved is then known only by name, without a role.
    const giver = currentAsker({ by: withCurrentId(settings, approval.by) }, acting);
    if (!(await mayUse(parts, giver, question))) return false;
  } else if (!(await askerIds()).includes(approval.by.id)) {
    return false;
  }
  const isProven = isEarly ? await isEarlyProven(parts, chatId, call, plugin) : isKeptProven(parts, approval);
  if (isProven) return true;
  const facts = { chatId, toolName, plugin, grantId: approval.id };
  logger.error('A standing approval was not used: it is not in the sealed record.', facts);
  return false;
}

function isKeptProven({ auditor }: Parts, approval: StandingClaim['approval']): boolean {
  return !auditor || auditor.provesApproval(approval);
}

/** Whether the event that has the approval is sealed in its place. @source ADR 0023 */
async function isEarlyProven(
  { auditor, settings }: Parts,
  chatId: Question['chatId'],
  call: Call,
  plugin: string,
): Promise<boolean> {
  const event = earlyApproval(plugin, call)?.event;
  if (!auditor || !event) return event !== undefined;
  if (auditor.vouchesFor(event)) return true;
  const previous = await sealBefore(settings.store, chatId, event.seq);
  return auditor.check(chatId, previous, event, call) === 'sealed';
}
