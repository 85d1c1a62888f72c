import {
  CountersignError,
  type ErrorCode,
  isPrincipal,
  type Logger,
  type Principal,
} from '../../protocol/index.ts';
import { principalOf } from '../../server/identity/principal-of.ts';
import { isSessionEnd } from '../../server/identity/session-watch.ts';
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
 * @throws what `person` and `authorize` throw, except `unauthenticated`; `internal` for their refusals
 * @source ADR 0045
 */
export async function visitorOf(
  settings: Pick<AnswerLinkSettings, 'person' | 'authorize'> & { readonly logger: Logger },
  target: LinkTarget,
  request: Request,
): Promise<Visitor> {
  const { person, authorize, logger } = settings;
  if (target.id !== undefined && person) {
    const { id } = target;
    const found: unknown = await ofApp(() => person(id));
    if (!isPrincipal(found) || found.id !== target.id) return { refusal: 'not-yours' };
    const {
      sessionId: _session,
      authenticatedAt: _at,
      authenticationMethods: _methods,
      ...principal
    } = found;
    return { principal, isCredential: true };
  }
  const principal = authorize && (await signedIn({ authorize, logger }, request));
  if (!principal) return { refusal: 'sign-in' };
  const isMeant = target.id === undefined ? principal.role === target.role : principal.id === target.id;
  return isMeant ? { principal, isCredential: false } : { refusal: 'not-yours' };
}

async function signedIn(
  settings: Parameters<typeof principalOf>[0],
  request: Request,
): Promise<Principal | null> {
  try {
    return await ofApp(() => principalOf(settings, request));
  } catch (error) {
    if (isSessionEnd(error)) return null;
    throw error;
  }
}

/** Errors of the app's functions that say something about the visitor or the moment. */
const passedOn: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unauthenticated',
  'rate-limited',
  'unavailable',
]);

/** Calls a function of the app. Other errors are failures of the app, which the visitor's form did not cause. */
async function ofApp<Result>(ask: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!CountersignError.is(error) || passedOn.has(error.code)) throw error;
    throw new CountersignError('internal', 'A function of the app failed.', {}, { cause: error });
  }
}
