import { isSealedAfter } from '../log/flow-log/flow-log-facts.ts';
import { idOf } from '../log/seal/audit-keys.ts';
import { CountersignError } from '../protocol/index.ts';
import type { Engine } from '../run/engine.ts';

const newestMs = 24 * 60 * 60 * 1_000;
const mostChecked = 50;

/**
 * Refuses an audit key that lacks the key that sealed the latest entries. With the wrong key, new entries would
 * continue chains that cannot be checked, and earlier approvals would not count.
 *
 * @throws CountersignError `invalid-settings` (`path`: `auditKey`, and the missing `keyId`)
 * @source ADR 0023
 */
export async function checkKeys({ store, clock, auditor, flowLog }: Engine): Promise<void> {
  if (!auditor) return;
  const { seals } = auditor;
  const own = await flowLog.head();
  const { items } = await store.chats.sealedSince((await clock.sure()) - newestMs, mostChecked);
  const newest = [own, ...items].flatMap((head) => head?.auditHead ?? []);
  const unknown = newest.find((seal) => !seals.knows(seal));
  if (unknown !== undefined) throw missing(idOf(unknown));
  if (!own || own.auditHead === null) return;
  const events = await flowLog.read(Math.max(0, own.seq - mostChecked), mostChecked);
  const sealed = events.filter(({ seal }) => seal !== undefined);
  // The first entry of the page lacks its predecessor, unless it is the first entry of all.
  const isKnown = sealed.some((event, index) =>
    isSealedAfter(seals, index === 0 ? null : (sealed[index - 1]?.seal ?? null), event),
  );
  if (sealed.length > 1 || own.seq <= mostChecked) if (!isKnown) throw missing(idOf(own.auditHead));
}

function missing(keyId: string): CountersignError {
  const name = keyId === '' ? 'another key without an id' : `the key "${keyId}"`;
  return new CountersignError(
    'invalid-settings',
    `The audit record was sealed with ${name}, which \`auditKey\` does not contain. Add it to \`former\`.`,
    { path: 'auditKey', keyId },
  );
}
