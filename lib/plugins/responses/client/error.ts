import { DialectError } from '../../../dialects/client/error.ts';
import type { ServerAddress } from '../../../dialects/client/server-request.ts';

/** What `ResponsesClient` takes. `/v1` is added to the address. */
export type ResponsesClientOptions = ServerAddress & {
  /** Sent as `model`. The server's model is its own. */
  readonly model?: string;
};

/** A refusal by the server, or a connection that could not be restored (`connection-lost`). @source C16 */
export class ResponsesError extends DialectError {
  override readonly name = 'ResponsesError';

  /** The field or parameter that is wrong. */
  get param(): string | undefined {
    return this.detail('param');
  }
}
