import { isPrincipal, type Principal } from '../protocol/index.ts';
import { principalOf } from '../server/identity/principal-of.ts';
import { isSessionEnd } from '../server/identity/session-watch.ts';
import type { AnswerLinkSettings } from './link-settings.ts';
import type { LinkTarget } from './link-token.ts';

/** Who acts by a link, or why the link is refused. `isCredential`: the link alone identifies the person. */
export type Visitor =
  | { readonly principal: Principal; readonly isCredential: boolean }
  | { readonly refusal: 'sign-in' | 'not-yours' };

/**
 * Determines who acts by a link, without reading the question. A link does not prove a sign-in, so the facts of a sign-in are removed
 * from what `person` returns.
 *
 * @throws what `person` and `authorize` throw, except `unauthenticated`
 * @source ADR 0045
 */
export async function visitorOf(
  settings: Pick<AnswerLinkSettings, 'person' | 'authorize' | 'logger'>,
  target: LinkTarget,
  request: Request,
): Promise<Visitor> {
  const { person, authorize, logger } = settings;
  if (target.id !== undefined && person) {
    const found: unknown = await person(target.id);
    if (!isPrincipal(found) || found.id !== target.id) return { refusal: 'not-yours' };
    const {
      sessionId: _session,
      authenticatedAt: _at,
      authenticationMethods: _methods,
      ...principal
    } = found;
    return { principal, isCredential: true };
  }
  const principal = authorize && (await signedIn({ authorize, ...(logger && { logger }) }, request));
  if (!principal) return { refusal: 'sign-in' };
  const isMeant = target.id === undefined ? principal.role === target.role : principal.id === target.id;
  return isMeant ? { principal, isCredential: false } : { refusal: 'not-yours' };
}

async function signedIn(
  settings: Parameters<typeof principalOf>[0],
  request: Request,
): Promise<Principal | null> {
  try {
    return await principalOf(settings, request);
  } catch (error) {
    if (isSessionEnd(error)) return null;
    throw error;
  }
}
