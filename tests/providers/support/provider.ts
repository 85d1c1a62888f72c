import type { LanguageModel } from 'ai';
import type { FlowSettings } from 'countersign';
import type { Piece, WireReply } from './reply.ts';

/** A service that streams model replies over HTTP, and the package that calls it. */
export type Provider = {
  readonly name: string;
  /** The package that calls the service. */
  readonly packageName: string;
  /** The package's model at this address. */
  readonly modelAt: (baseURL: string) => LanguageModel;
  /** The settings of a flow that uses this model, such as provider options. */
  readonly settings?: Partial<FlowSettings>;
  /** A service that remembers what it has sent. */
  readonly open: () => Service;
};

/** What one service refuses and sends. */
export type Service = {
  /** The message of the refusal of a request; `undefined` if the service accepts it. */
  readonly faultOf: (body: unknown) => string | undefined;
  /** The events of a reply. `number` counts the replies of the service from 0. */
  readonly reply: (pieces: readonly Piece[], number: number, body: unknown) => WireReply;
  /** The body of an error response. */
  readonly error: (message: string) => object;
};
