/** Rejected: seals by Web Crypto. Between reading the last seal and writing the next one, another writer may do the same. */
export function awaitedSeals(auditKey: string) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let last: string | null = null;

  /** @returns the seal that this one follows */
  async function append(facts: object): Promise<string | null> {
    const previous = last;
    const key = await crypto.subtle.importKey('raw', bytes(auditKey), algorithm, false, ['sign']);
    const seal = await crypto.subtle.sign('HMAC', key, bytes(JSON.stringify([previous, facts])));
    last = Buffer.from(seal).toString('base64url');
    return previous;
  }

  return { append };
}
