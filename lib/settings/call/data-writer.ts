import type { InferUIMessageChunk, UIMessage } from 'ai';

/**
 * A data part as the SDK's writer takes it: `type` is `data-` and a name. A part with the `id` of an earlier
 * one of its type replaces its data. `transient: true`: it is sent only to current readers of the turn, and
 * is not part of the message.
 */
export type DataPartToWrite<Message extends UIMessage = UIMessage> = Extract<
  InferUIMessageChunk<Message>,
  { readonly type: `data-${string}` }
>;

/**
 * Writes data parts into the message of a running turn. To have them typed, name the type of your messages:
 * `CallContext<MyMessage>` or `flow.chats.writer<MyMessage>(…)`.
 *
 * @source ADR 0031
 */
export type DataWriter<Message extends UIMessage = UIMessage> = {
  /**
   * Writes one part. The model does not see it. With the release `final`, parts are withheld like text,
   * except transient ones. An invalid type, id or data throws immediately: `data` must be JSON of at most
   * 100,000 bytes, and `data-draft`, `data-message-changed`, `data-tool-input` and `data-tool-lifecycle` are the library's own.
   *
   * @returns when the part is durable, or has been sent if it is transient. You do not have to await it. It
   *   rejects, and nothing is written, if the call or its turn has ended, or if another instance has taken it
   *   over
   * @throws CountersignError `invalid-request`
   */
  write(part: DataPartToWrite<Message>): Promise<void>;
};
