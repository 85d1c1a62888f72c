import type { UIMessage } from 'ai';
import type { ChatId, Person, Principal } from '../../protocol/index.ts';
import type { Ask } from '../forms/ask.ts';
import type { DataWriter } from './data-writer.ts';

/** The principal and chat of the turn, which `prepareCall`, `toolApproval`, `prepareStep` and `stopWhen` also get. */
export type TurnFacts = {
  /** The principal that asked for the turn, as recorded then. */
  readonly principal: Principal;
  readonly chatId: ChatId;
};

/**
 * What the flow adds to the `context` of each call, beside the tool's own entry in `toolsContext`. To have it typed,
 * annotate the options of `execute`. `Message`: the type of your messages, for the data parts of `writer`.
 *
 * @example execute: (input, { context }: ToolExecutionOptions<CallContext>) => payFrom(context.principal.id, input)
 */
export type CallContext<Message extends UIMessage = UIMessage> = TurnFacts & {
  /** The person who approved the call, if a question was asked: of several people, the last one. */
  readonly approvedBy?: Person;
  /** Everybody who approved the call, in order, if several people had to. @source ADR 0047 */
  readonly approvers?: readonly Person[];
  /**
   * `idem_` and 43 characters of `A-Za-z0-9_-`: unique across all chats, and the same for each attempt of
   * this call. Pass it to services that accept an idempotency key. It is not a secret.
   *
   * @source ADR 0019
   */
  readonly idempotencyKey: string;
  /**
   * Increases with each attempt of a call in this chat. A resource that remembers the largest token of a chat
   * and refuses smaller ones is protected from a process that was suspended right after the last check.
   *
   * @source ADR 0019
   */
  readonly fencingToken: number;
  /** Writes data parts into the message, as the SDK's `writer` does. @source ADR 0031 */
  readonly writer: DataWriter<Message>;
  /**
   * Asks the person something while the call runs. The tool must be declared with `mayAsk` in `toolDetails`.
   *
   * @source ADR 0037
   */
  readonly ask: Ask;
};
