import { CountersignError, isRecord } from '../../protocol/index.ts';

/**
 * The body of a Node request that a framework has read before the handler: what `express.json()` and its siblings keep in
 * `request.body`. Values are serialized again, so that the same limits and checks apply as to bytes from the wire.
 *
 * @param context the second argument of the handler. Bridges from Node, such as `@hono/node-server`, pass
 * `{ incoming, outgoing }` there
 * @returns JSON text; empty if nothing was kept
 * @throws CountersignError `invalid-request` if the value is not JSON
 * @source H1
 */
export function bodyReadBefore(context: unknown): string {
  const incoming = isRecord(context) ? context.incoming : undefined;
  const body = isRecord(incoming) ? incoming.body : undefined;
  if (body === undefined) return '';
  try {
    if (body instanceof Uint8Array) return new TextDecoder('utf-8', { fatal: true }).decode(body);
    return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  } catch (cause) {
    const message = 'The body was already read, and what was kept of it is not JSON.';
    throw new CountersignError('invalid-request', message, {}, { cause });
  }
}
