import type { Auditor } from '../../log/seal/auditor.ts';
import type { ChatHead } from '../../log/store/index.ts';
import { timesUnanswered } from '../../log/turn/times-unanswered.ts';
import { type Call, isImported, type Turn } from '../../log/turn/turn.ts';
import type { EventBody, EventOf, Grant, Logger, Principal } from '../../protocol/index.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import { mayRemember } from '../../rights/rights-to.ts';
import { stepUpFor } from '../../rights/step-up.ts';
import { recordedIds } from '../../settings/former-ids.ts';
import { expectedQuestion } from '../advance/expected-question.ts';
import type { Tools } from '../call/input/parse-input.ts';
import type { Run } from '../run.ts';
import { grantKeys } from './grant-key.ts';
import type { DueQuestion } from './question-due.ts';

/**
 * Uses a remembered approval instead of a question that is due, if one covers the call and the person who gave it could
 * answer this question now. None covers an imported call.
 *
 * The use and its event are one append, which is refused if the grant was revoked before.
 *
 * @param due the event that would ask
 * @returns false when the question must be asked
 * @throws Conflict
 * @source ADR 0015
 */
export async function applyGrant(
  { settings, schemas, journal, runId, asker, ids, auditor, logger }: Run,
  call: Call,
  due: DueQuestion,
): Promise<boolean> {
  for (const grant of await coveringGrants(
    { settings, schemas, auditor, logger },
    journal,
    call,
    due,
    asker,
  )) {
    const granted = grantedBy(grant, due, ids.approval());
    if (await journal.commitWithGrant(runId, granted, grant.id)) return true;
  }
  return false;
}

/**
 * The remembered approvals that cover a call, if the person who gave them could answer this question now. None covers an
 * imported call, nor one that was asked about again because nobody had answered.
 *
 * @param asker for whom the call is made. Only this person's approvals count
 * @source ADR 0015, ADR 0036, ADR 0048
 */
export async function coveringGrants(
  { settings, schemas, auditor, logger }: Tools & { readonly auditor?: Auditor; readonly logger: Logger },
  { head: chat, turn }: { readonly head: Pick<ChatHead, 'id' | 'ownerId'>; readonly turn: Turn },
  call: Call,
  due: DueQuestion,
  asker: Principal,
): Promise<Grant[]> {
  if (isImported(turn, call) || timesUnanswered(turn, call) > 0) return [];
  const { toolName, input } = call.requested;
  const question = expectedQuestion(call, due, chat);
  if (!question) return [];
  if (!mayRemember(settings, asker, question) || stepUpFor(settings, asker, toolName)?.needed) return [];
  if (!(await mayAnswer(settings, asker, question))) return [];
  // A key, and the grant, have the id that the person had then.
  const ids = recordedIds(settings, asker);
  const keys = ids.map((personId) =>
    grantKeys({ settings, schemas }, { personId, chatId: chat.id, toolName, input }),
  );
  const found = await settings.store.grants.find((await Promise.all(keys)).flat());
  const own = found.filter(({ by }) => ids.includes(by.id));
  if (!auditor) return own;
  const proven: Grant[] = [];
  for (const grant of own) {
    if (auditor.provesGrant(grant)) proven.push(grant);
    else {
      const facts = { chatId: chat.id, toolName, grantId: grant.id };
      logger.error('A remembered approval was not used: it is not in the sealed record.', facts);
    }
  }
  return proven;
}

function grantedBy(
  { id: grantId, by }: Grant,
  { toolCallId, digest }: DueQuestion,
  approvalId: EventOf<'approval-granted'>['approvalId'],
): EventBody {
  return {
    type: 'approval-granted',
    approvalId,
    toolCallId,
    grantId,
    by,
    digest,
  };
}
