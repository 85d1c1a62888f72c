import { DialectError } from '../../../dialects/client/error.ts';

/** A refusal of the server, or a connection that could not be resumed (`connection-lost`). @source H-Errors */
export class ToolEventsError extends DialectError {
  override readonly name = 'ToolEventsError';
}
