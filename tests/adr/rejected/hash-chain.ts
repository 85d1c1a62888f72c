import { createHash } from 'node:crypto';

/** An entry that is linked to the previous one by a hash that everybody can compute. */
export type HashedEntry = { readonly seal: string };

/** Rejected: a chain without a key. Anybody can create it, not only the server. */
export function hashChain(entries: readonly object[]): HashedEntry[] {
  let previous = '';
  return entries.map((entry) => {
    const { seal: _seal, ...facts } = { seal: '', ...entry };
    previous = hashOf(previous, facts);
    return { ...facts, seal: previous };
  });
}

/** The index of the first entry that does not fit; -1 for a valid chain. */
export function breakOf(entries: readonly HashedEntry[]): number {
  return entries.findIndex(
    ({ seal, ...facts }, index) => seal !== hashOf(entries[index - 1]?.seal ?? '', facts),
  );
}

function hashOf(previous: string, facts: object): string {
  return createHash('sha256')
    .update(previous + JSON.stringify(facts))
    .digest('base64url');
}
