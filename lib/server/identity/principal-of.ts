import { isPrincipal, type Logger, type Principal } from '../../protocol/index.ts';
import type { Authorize } from './authorize.ts';

/**
 * Who makes this request, or `null`. Anything that `authorize` gives but a principal names nobody: a user record
 * without an id must not become somebody, nor `true` everybody.
 */
export async function principalOf(
  { authorize, logger }: { readonly authorize: Authorize; readonly logger?: Logger },
  request: Request,
): Promise<Principal | null> {
  const given: unknown = await authorize(request);
  if (isPrincipal(given)) return given;
  if (given !== null && given !== undefined) {
    logger?.error('`authorize` gave neither null nor a principal with an id and a name.', {
      given: typeof given,
    });
  }
  return null;
}
