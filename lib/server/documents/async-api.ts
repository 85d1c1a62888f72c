import type { z } from 'zod';
import type { JsonSchema } from './operations.ts';

/** The messages of one direction of a channel. */
export type MessageGroup = {
  /** The payloads by name. That of a frame of an event stream is its `data`. */
  readonly payloads: Readonly<Record<string, z.ZodType>>;
  /** The other lines of such a frame. Default: none. @see linesOf */
  readonly lines?: (name: string) => JsonSchema;
};

/** A socket or an event stream: where it is, what the server sends, and what it receives. */
export type Channel = {
  readonly address: string;
  readonly description: string;
  readonly method: 'GET' | 'POST';
  /** A group. */
  readonly sends: string;
  /** A group. Only sockets receive frames. */
  readonly receives?: string;
};

/** Channels of an AsyncAPI document, and the groups of messages that they refer to by name. */
export type AsyncApiPart = {
  readonly groups: Readonly<Record<string, MessageGroup>>;
  readonly channels: Readonly<Record<string, Channel>>;
};
