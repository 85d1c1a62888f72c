import type { ApprovalId, ChatId, GrantId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';
import type { Person } from '../principal.ts';
import type { Remember } from '../wire/remember.ts';

/** The scope of a remembered approval: its chat, or all chats of the person who gave it. */
export type GrantScope = Remember['scope'];

/** The calls that it covers: every call of the tool, or only calls with the same arguments. */
export type GrantMatch = Remember['match'];

/** What to remember with an approval. @source H1, H10 */
export type RememberRequest = Remember;

/** A remembered approval. Its uses are counted separately. Times are epoch milliseconds. */
export type Grant = RememberRequest & {
  readonly id: GrantId;
  /**
   * Identifies what is covered: the person, the tool and its definition, and, where they matter, the chat and
   * the arguments. Equal keys cover the same calls, so each key is stored once.
   */
  readonly key: string;
  /** The person who gave it. It covers this person's calls only. */
  readonly by: Person;
  /** Present with scope `chat`. The grant is deleted with the chat. */
  readonly chatId?: ChatId;
  readonly toolName: string;
  readonly title?: string;
  /** The arguments that are covered, redacted for display. Present with `exact-arguments`. */
  readonly input?: JsonValue;
  /** The question with which it was given. */
  readonly approvalId: ApprovalId;
  readonly createdAt: number;
  /** Proves that a person gave it. Present when the flow has an audit key. Never shown. */
  readonly seal?: string;
};

/** A grant and its use. */
export type UsedGrant = Grant & { readonly uses: number; readonly lastUsedAt?: number };
