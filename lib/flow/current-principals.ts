import { isPrincipal, isRecord } from '../protocol/index.ts';
import { type FormerIds, withCurrentId } from '../settings/former-ids.ts';

/**
 * The methods of a flow, called with each principal's current id. Here alone a request's person is identified: what is
 * behind these methods records and compares ids as they are.
 *
 * @param methods by name, or in groups of methods
 * @source ADR 0012
 */
export function withCurrentPrincipals<Methods extends object>(
  settings: FormerIds,
  methods: Methods,
): Methods {
  if (!settings.formerIds) return methods;
  const identified = Object.entries(methods).map(([name, method]: [string, unknown]) => {
    if (isRecord(method)) return [name, withCurrentPrincipals(settings, method)];
    if (typeof method !== 'function') return [name, method];
    return [name, (request: unknown, ...rest: unknown[]) => method(identify(settings, request), ...rest)];
  });
  return Object.fromEntries(identified) as Methods;
}

/** A request with the current id of the principal who makes it, if it names one. */
function identify(settings: FormerIds, request: unknown): unknown {
  if (!isRecord(request) || !isPrincipal(request.principal)) return request;
  return { ...request, principal: withCurrentId(settings, request.principal) };
}
