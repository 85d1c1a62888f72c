import type { StoredRecord } from '../../log/store/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { StandingClaim, StandingQuestion } from '../../settings/plugin/plugin-declaration.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import { coveragesOf } from './coverage.ts';
import { recordOf, rememberedRecords, storedApproval } from './stored-approval.ts';

/** The remembered approvals of the person who asks for a call that cover it. @source ADR 0015 */
export async function findRemembered(due: StandingQuestion<FlowSettings>): Promise<readonly StandingClaim[]> {
  const { settings, question, call, now } = due;
  const { chatId, toolName } = question;
  if (detailsOf(settings, toolName).remembered === false) return [];
  const { input } = call.requested;
  const keys = (await due.askerIds()).flatMap((personId) =>
    coveragesOf({ personId, chatId, toolName, input }),
  );
  if (keys.length === 0) return [];
  const found = await settings.store.records.read(rememberedRecords, keys);
  return found.flatMap((record) => claimOf(record, now) ?? []);
}

/** A use of an approval. A record that was moved to another key is none. */
function claimOf(record: StoredRecord, now: number): StandingClaim | undefined {
  const stored = storedApproval(record);
  const { approval, uses } = stored;
  if (approval.covers !== record.key) return undefined;
  const used = recordOf({ ...stored, uses: uses + 1, lastUsedAt: now });
  const reason = `Remembered: ${approval.by.name} approved this before.`;
  return { approval, reason, records: [{ ...used, ownerId: record.ownerId, expects: record.version }] };
}
