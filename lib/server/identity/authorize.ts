import type { Principal } from '../../protocol/index.ts';

/**
 * Identifies who makes a request. `null` means that nobody is signed in; the request is refused with 401. There
 * is no default.
 *
 * @throws CountersignError `unauthenticated` for credentials that are wrong rather than missing
 * @source H-Identity
 */
export type Authorize = (request: Request) => Principal | null | Promise<Principal | null>;
