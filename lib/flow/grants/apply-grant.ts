import type { EventBody, EventOf, Grant } from '../../vocabulary/index.ts';
import type { Run } from '../drive.ts';
import { rightsTo } from '../permissions.ts';
import { questionOf } from '../projections/question.ts';
import type { Call } from '../turn.ts';
import { grantKeys } from './grant-key.ts';

/**
 * Puts a remembered approval in the place of a question that is due, if there is one that covers the call, and if
 * who gave it could answer this very question now.
 *
 * The use and the event that tells of it are one append, refused when the grant was revoked before.
 *
 * @param due the event that would ask
 * @returns false when the question must be asked
 * @throws Conflict
 * @source ADR 0015
 */
export async function applyGrant(
  { settings, schemas, journal, runId, principal, ids }: Run,
  call: Call,
  due: Extract<EventBody, { type: 'approval-requested' }>,
): Promise<boolean> {
  const { toolCallId, toolName, input } = call.requested;
  const asked: EventOf<'approval-requested'> = { ...due, seq: journal.nextSeq, at: 0, runId };
  const question = questionOf({ ...call, asked }, journal.head);
  if (!question || !rightsTo(settings, principal, question).mayRemember) return false;
  const chatId = journal.head.id;
  const keys = await grantKeys({ settings, schemas }, { personId: principal.id, chatId, toolName, input });
  for (const grant of await settings.store.grants(keys)) {
    if (grant.by.id !== principal.id) continue;
    const granted = grantedBy(grant, toolCallId, ids.approval());
    if (await journal.commitLeaning(runId, granted, grant.id)) return true;
  }
  return false;
}

function grantedBy(
  { id: grantId, by }: Grant,
  toolCallId: Call['requested']['toolCallId'],
  approvalId: EventOf<'approval-granted'>['approvalId'],
): EventBody {
  return { type: 'approval-granted', approvalId, toolCallId, grantId, by };
}
