import { isPrincipal, type Logger, type Principal } from '../../protocol/index.ts';
import type { Authorize } from './authorize.ts';

/**
 * The principal that makes this request, or `null`. Any value from `authorize` that is not a principal counts
 * as `null`, such as `true`, or a user record without an id.
 */
export async function principalOf(
  { authorize, logger }: { readonly authorize: Authorize; readonly logger?: Logger },
  request: Request,
): Promise<Principal | null> {
  const given: unknown = await authorize(request);
  if (isPrincipal(given)) return given;
  if (given !== null && given !== undefined) {
    logger?.error('`authorize` returned neither null nor a principal with an id and a name.', {
      given: typeof given,
    });
  }
  return null;
}
