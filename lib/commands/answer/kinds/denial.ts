import type { DecidedRequest, Denial } from '../given-answer.ts';

/** Parses a denial. Whatever it says of arguments is ignored. */
export function parseDenial(request: DecidedRequest): Denial | undefined {
  if (request.approved) return undefined;
  const none = { input: undefined, value: undefined, plugins: undefined };
  return { ...request, ...none, type: 'denial', approved: false };
}
