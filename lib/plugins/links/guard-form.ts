import { CountersignError } from '../../protocol/errors/errors.ts';
import { type GuardSettings, guardHost, guardOrigin, safeMethods } from '../../server/guard.ts';

/**
 * Checks a request for a page with forms that works without JavaScript: the Host must be allowed, and a page of this host must have
 * sent the form. Browsers send `Origin: null` from pages without a referrer, so the caller must also check a token in the form.
 *
 * @throws CountersignError `forbidden`
 * @source ADR 0045
 */
export function guardForm(request: Request, { allowedHosts }: Pick<GuardSettings, 'allowedHosts'>): void {
  const host = guardHost(request, { allowedHosts });
  if (safeMethods.has(request.method)) return;
  if (request.headers.get('origin') !== 'null') guardOrigin(request, host, {});
  const site = request.headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  throw new CountersignError('forbidden', 'Forms of other sites are refused. Use the form of this page.');
}
