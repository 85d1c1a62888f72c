import type { Principal } from '../../protocol/index.ts';
import { assertSafeJson } from '../../protocol/safe-json.ts';
import type { ChatRequest } from './chat-request.ts';

/**
 * Returns the call options of a turn: what `prepareCall` of the flow gets, as JSON. It is called for each request with a
 * new message, and for each request for another answer, after `authorize`. The body comes from the client, so take only
 * what the client may choose. It is also called with the answers of a chat: their turn keeps its own options, and a warning is
 * logged if these are others.
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

/** The call options of a request that begins a turn, as a field. @throws CountersignError `invalid-request` */
export async function callOptionsField(
  settings: { readonly callOptions?: CallOptionsOf },
  context: Parameters<CallOptionsOf>[0],
): Promise<{ readonly callOptions?: unknown }> {
  const callOptions = await settings.callOptions?.(context);
  if (callOptions === undefined) return {};
  assertSafeJson(callOptions, 'The call options');
  return { callOptions };
}

/** The call options of a chat request, as a field. With answers alone they are ignored. */
export async function callOptionsOfChat(
  settings: { readonly callOptions?: CallOptionsOf },
  { message, trigger }: ChatRequest,
  context: Parameters<CallOptionsOf>[0],
): Promise<{ readonly callOptions?: unknown }> {
  const field = callOptionsField(settings, context);
  const beginsTurn = message !== undefined || trigger === 'regenerate-message';
  return beginsTurn ? field : field.catch(() => ({}));
}
