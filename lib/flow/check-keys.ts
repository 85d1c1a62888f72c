import { isSealedAfter } from '../log/flow-log/flow-log-facts.ts';
import { idOf } from '../log/seal/audit-keys.ts';
import { CountersignError } from '../protocol/index.ts';
import type { Engine } from '../run/engine.ts';

const newestMs = 24 * 60 * 60 * 1_000;
const looked = 50;

/**
 * Refuses an audit key that is not the one which sealed what was written last: what it seals from now on would continue
 * chains that it cannot check, and approvals given before would not count.
 *
 * @throws CountersignError `invalid-settings` (`path`: `auditKey`, and the `keyId` that is missing)
 * @source ADR 0023
 */
export async function checkKeys({ store, clock, auditor, flowLog }: Engine): Promise<void> {
  if (!auditor) return;
  const { seals } = auditor;
  const own = await flowLog.head();
  const { items } = await store.restingHeads((await clock.sure()) - newestMs, looked);
  const newest = [own, ...items].flatMap((head) => head?.auditHead ?? []);
  const unknown = newest.find((seal) => !seals.knows(seal));
  if (unknown !== undefined) throw missing(idOf(unknown));
  if (!own || own.auditHead === null) return;
  const events = await flowLog.read(Math.max(0, own.seq - looked), looked);
  const sealed = events.filter(({ seal }) => seal !== undefined);
  // The first has what came before it out of sight, unless it is the first of all.
  const isOurs = sealed.some((event, index) =>
    isSealedAfter(seals, index === 0 ? null : (sealed[index - 1]?.seal ?? null), event),
  );
  if (sealed.length > 1 || own.seq <= looked) if (!isOurs) throw missing(idOf(own.auditHead));
}

function missing(keyId: string): CountersignError {
  const name = keyId === '' ? 'another key without an id' : `the key "${keyId}"`;
  return new CountersignError(
    'invalid-settings',
    `The audit record was sealed with ${name}, which \`auditKey\` does not hold. Add it to \`former\`.`,
    { path: 'auditKey', keyId },
  );
}
