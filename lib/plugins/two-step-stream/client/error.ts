import { DialectError } from '../../../dialects/client/error.ts';

/** A refusal of the server, or a connection that could not be replaced (`connection-lost`). @source H-Errors */
export class TwoStepError extends DialectError {
  override readonly name = 'TwoStepError';

  /** The stream that continues the turn, if the refusal names one. */
  get streamId(): string | undefined {
    return this.detail('stream_id');
  }
}
