import { type Countersign, countersign } from './countersign.ts';

/** A Web handler. */
type Handler = (request: Request) => Promise<Response>;

/** A route export that opens the app's instance with the first request, not on import. */
export function route(pick: (instance: Countersign) => Handler): Handler {
  return async (request) => pick(await countersign())(request);
}
