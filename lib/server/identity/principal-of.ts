import { isPrincipal, type Logger, type Principal } from '../../protocol/index.ts';
import type { Authorize } from './authorize.ts';

/** The principal that makes this request; `null` for any other value of `authorize`. */
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
