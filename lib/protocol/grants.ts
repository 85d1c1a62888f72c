import type { ApprovalId, ChatId, GrantId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Person } from './principal.ts';

/** How far a remembered approval reaches: the chat that it was given in, or all chats of the person who gave it. */
export type GrantScope = 'chat' | 'me';

/** Which calls of the tool it covers: every one, or those with the very arguments that ran. */
export type GrantMatch = 'tool' | 'exact-arguments';

/** What a person wants remembered with an approval. @source contract H1, H10 */
export type RememberRequest = { readonly scope: GrantScope; readonly match: GrantMatch };

/** A remembered approval: who gave it, and for what. Its uses are counted beside it. Times are epoch milliseconds. */
export type Grant = RememberRequest & {
  readonly id: GrantId;
  /**
   * Says in one text what is covered: the person, the tool and its definition, the chat and the arguments where those
   * matter. Equal keys cover the same calls, so a key is kept once.
   */
  readonly key: string;
  /** Who gave it, and for whose calls alone it stands. */
  readonly by: Person;
  /** Present with the scope `chat`: the grant goes with the chat. */
  readonly chatId?: ChatId;
  readonly toolName: string;
  readonly title?: string;
  /** The arguments that are covered, redacted as people see them. Present with `exact-arguments`. */
  readonly input?: JsonValue;
  /** The question it was given with. */
  readonly approvalId: ApprovalId;
  readonly createdAt: number;
  /** Proves, when the flow has an audit key, that a person gave it. Never shown. */
  readonly seal?: string;
};

/** A grant, and what came of it. */
export type UsedGrant = Grant & { readonly uses: number; readonly lastUsedAt?: number };
