import { type Countersign, countersign } from './countersign.ts';

/** A Web handler. */
type Handler = (request: Request) => Promise<Response>;

/** A route export that opens the app's instance when the first request comes, not when it is imported. */
export function route(pick: (instance: Countersign) => Handler): Handler {
  return async (request) => pick(await countersign())(request);
}
