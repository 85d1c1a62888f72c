import { isPrincipal, type Principal } from '../../protocol/index.ts';
import type { ServerSettings } from '../route.ts';

/**
 * Who makes this request, or `null`. Anything that `authorize` gives but a principal names nobody: a user record
 * without an id must not become somebody, nor `true` everybody.
 */
export async function principalOf(
  { authorize, logger }: Pick<ServerSettings, 'authorize' | 'logger'>,
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
