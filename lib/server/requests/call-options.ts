import type { Principal } from '../../protocol/index.ts';
import { assertSafeJson } from '../../protocol/safe-json.ts';

/**
 * Returns the call options of a turn: what `prepareCall` of the flow gets, as JSON. It is called for each request with a
 * new message, and for each request for another answer, after `authorize`. The body comes from the client, so take only
 * what the client may choose.
 *
 * @param context.request over a socket: its upgrade request
 * @param context.body the parsed JSON of the request; over a socket, of its frame
 * @throws CountersignError to refuse the request, for example `forbidden`
 * @source ADR 0030
 */
export type CallOptionsOf = (context: {
  readonly request: Request;
  readonly principal: Principal;
  readonly body: unknown;
}) => unknown;

/**
 * The call options of a request that begins a turn, as a field for `flow.respond`.
 *
 * @throws CountersignError `invalid-request` for options that are dangerous to process; what `callOptions` throws
 */
export async function callOptionsField(
  settings: { readonly callOptions?: CallOptionsOf },
  context: Parameters<CallOptionsOf>[0],
): Promise<{ readonly callOptions?: unknown }> {
  const callOptions = await settings.callOptions?.(context);
  if (callOptions === undefined) return {};
  assertSafeJson(callOptions, 'The call options');
  return { callOptions };
}

/** True for a request that begins a turn: it has a new message, or wants another answer. */
export function beginsTurn({
  message,
  trigger,
}: {
  readonly message?: unknown;
  readonly trigger?: string;
}): boolean {
  return message !== undefined || trigger === 'regenerate-message';
}
