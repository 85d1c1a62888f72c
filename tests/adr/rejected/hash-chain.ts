import { createHash } from 'node:crypto';

/** An entry that is sealed to the one before it by a hash that everybody can calculate. */
export type HashedEntry = { readonly seal: string };

/** Rejected: a chain without a key. It is made by the server, and as well by anybody else. */
export function hashChain(entries: readonly object[]): HashedEntry[] {
  let previous = '';
  return entries.map((entry) => {
    const { seal: _seal, ...facts } = { seal: '', ...entry };
    previous = hashOf(previous, facts);
    return { ...facts, seal: previous };
  });
}

/** The first entry that does not fit; -1 for a chain that is whole. */
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
