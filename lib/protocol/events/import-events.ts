import type { ModelMessage, UIMessage } from 'ai';
import type { MessageId } from '../ids/ids.ts';
import type { Person } from '../principal.ts';

/**
 * The imported content of a chat. These events come first in its log, in one append, and create no calls:
 * only calls that were requested here can run, be asked about or be recorded.
 *
 * @source ADR 0036
 */
export type ImportEventBody =
  | {
      type: 'chat-imported';
      /** Of the messages as they were given. The same messages have the same digest. */
      digest: string;
      by: Person;
    }
  | {
      type: 'message-imported';
      messageId: MessageId;
      /** As people see it: calls are marked, each has ended, and secrets are redacted. */
      message: UIMessage;
      /** As the model sees it. The last step of a message whose approvals are asked again is in the turn instead. */
      modelMessages: readonly ModelMessage[];
      /** The tools of its calls that ran, or may have. */
      ran: readonly string[];
      by: Person;
    };
