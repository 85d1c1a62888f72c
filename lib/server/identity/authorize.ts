import type { Principal } from '../../protocol/index.ts';

/**
 * Says who makes a request. `null`: nobody we know, which is refused with 401. There is no default.
 *
 * @throws CountersignError `unauthenticated` for credentials that are wrong rather than missing
 * @source H-Identity
 */
export type Authorize = (request: Request) => Principal | null | Promise<Principal | null>;
