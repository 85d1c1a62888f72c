import type {
  AnswerRule,
  AtDeadline,
  ChatId,
  Executor,
  JsonValue,
  Person,
  QuestionOption,
  QuestionPlugins,
  Risk,
} from '../../protocol/index.ts';
import type { ResolutionJson } from '../../protocol/wire/resolution.ts';

/** The arguments as people were shown them, redacted where the tool says so. */
export type ShownInput = {
  readonly input: JsonValue;
  /**
   * A digest of the whole arguments, where some of them are redacted: equal digests mean that what ran is
   * what was approved. Keyed, so that it can be compared, but not guessed.
   */
  readonly inputDigest?: string;
  /** What the tool receives, redacted in the same way. Present if the schema changes them. */
  readonly runsAs?: JsonValue;
  readonly runsAsDigest?: string;
};

/**
 * Who answered. Role, session and sign-in are those of the request that brought the answer; `authenticatedAt` is
 * ISO 8601 in UTC.
 */
export type Approver = Person & {
  readonly role?: string;
  readonly sessionId?: string;
  readonly authenticatedAt?: string;
  readonly authenticationMethods?: readonly string[];
};

/** What happened in a chat, as the audit record states it. Times are ISO 8601 in UTC. */
export type AuditFacts = {
  /** In every entry, so that one chat's record cannot be passed off as another's. */
  readonly chatId: ChatId;
  /** The event's place in the chat's log. */
  readonly seq: number;
  readonly at: string;
} & (
  | ({
      readonly toolCallId: string;
      readonly toolName: string;
      /** Missing when the server runs the call. */
      readonly executor?: Executor;
    } & CallFacts)
  | {
      /** An event of a type that this version does not know. @source ADR 0056 */
      readonly type: 'unknown-event';
      /** The type of the event. */
      readonly event: string;
      /** The call that it is about, if it names one. */
      readonly toolCallId?: string;
      /** A keyed digest of the event as it was written. */
      readonly digest: string;
    }
);

/** What happened to a call, apart from what all its entries say. */
export type CallFacts =
  | ({
      readonly type: 'asked';
      readonly approvalId: string;
      readonly askedBy: Person;
      readonly description: string;
      readonly deadline?: string;
      readonly atDeadline?: AtDeadline;
      readonly risk?: Risk;
      readonly riskReason?: string;
      /** Of the tool as it was defined, with risk, title and sentence. @source ADR 0020 */
      readonly digest?: string;
      /** The withdrawn question that this one replaces. */
      readonly replaces?: string;
      /** The choices, and what each of them would run. @source ADR 0050 */
      readonly options?: readonly (Omit<QuestionOption, 'input' | 'runsAs'> & Partial<ShownInput>)[];
      /** What the question said of plugins, by their names. @source ADR 0056 */
      readonly plugins?: QuestionPlugins;
      /** Digest of the effect that was shown, or `failed`. Present if the tool has a `preview`. @source ADR 0040 */
      readonly effect?: string;
      /** How many answers the replaced question had. They do not count. */
      readonly droppedAnswers?: number;
      /** Who changed the arguments of the question that this one replaces. @source ADR 0047 */
      readonly editedBy?: Person;
    } & ShownInput)
  /** The effect was determined again, and differs. */
  | { readonly type: 'previewed'; readonly approvalId: string; readonly effect: string }
  | {
      /** An event of a plugin. @source ADR 0056 */
      readonly type: 'plugin-event';
      readonly plugin: string;
      /** What happened. */
      readonly name: string;
      readonly approvalId: string;
      /** A keyed digest of the event as it was written. */
      readonly digest: string;
      /** A person approved the call before its question was due; `null`: that was revoked. */
      readonly early?:
        | ({
            readonly id: string;
            readonly by: Approver;
            readonly via: string;
            readonly rule?: AnswerRule;
          } & ShownInput)
        | null;
    }
  | ({
      readonly type: 'answered';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
      /** The id of the option that was chosen. */
      readonly option?: string;
      /** What the person filled in, redacted. The `ended` entry has a digest of the whole result. @source ADR 0050 */
      readonly value?: JsonValue;
      readonly by: Approver;
      /** Whose right it was, if it was delegated to `by`. @source ADR 0049 */
      readonly onBehalfOf?: Person;
      readonly via: string;
      /** By which rule this person was allowed to answer. */
      readonly rule?: AnswerRule;
      /** A digest of the arguments that were approved. Missing in denials. */
      readonly approves?: string;
      /** Digest of the effect that the person was shown. Missing when the client did not send it. */
      readonly effect?: string;
      /** What it said to plugins, by their names, as they recorded it. @source ADR 0056 */
      readonly plugins?: Readonly<Record<string, JsonValue>>;
    } & Partial<ShownInput>)
  | {
      /** An answer that left its question open. @source ADR 0056 */
      readonly type: 'recorded';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
      readonly by: Approver;
      readonly onBehalfOf?: Person;
      readonly via: string;
      readonly rule?: AnswerRule;
      /** Digest of the question that the person answered. */
      readonly digest?: string;
      /** A digest of the arguments that were approved. Missing in denials. */
      readonly approves?: string;
      /** Digest of the effect that the person was shown. Missing when the client did not send it. */
      readonly effect?: string;
    }
  | { readonly type: 'withdrawn'; readonly approvalId: string; readonly reason: string }
  /** The flow's own policy decided, without asking. */
  | ({
      readonly type: 'decided';
      readonly approved: boolean;
      readonly reason?: string;
      readonly rule?: 'policy';
    } & ShownInput)
  | ({
      /** A standing approval replaced the question; `by` gave it. */
      readonly type: 'granted';
      readonly approvalId: string;
      readonly grantId: string;
      readonly by: Person;
      /** The plugin that keeps the standing approval. */
      readonly plugin: string;
      /** It is of this call alone: the last `early` of the plugin about the call has the `grantId` as its id. */
      readonly isEarly?: true;
      /** Why no question was asked, as the chat shows it. */
      readonly reason?: string;
    } & ShownInput)
  /** A call that the flow's policy does not gate. */
  | ({ readonly type: 'requested'; readonly gate: 'none' } & ShownInput)
  | ({ readonly type: 'started'; readonly gate?: 'none' } & ShownInput)
  | {
      readonly type: 'ended';
      readonly gate?: 'none';
      readonly outcome: 'completed' | 'failed' | 'denied' | 'cancelled' | 'unknown';
      readonly error?: string;
      /** A keyed digest of the whole output. */
      readonly digest?: string;
    }
  | {
      /** The outcome of a call that was recorded as unknown: `late` is the report of the process that ran it. */
      readonly type: 'resolved';
      readonly source: ResolutionJson['source'];
      readonly outcome: ResolutionJson['outcome'];
      readonly by?: Person;
      readonly note?: string;
      readonly error?: string;
      readonly digest?: string;
    };

/** One entry of a chat's audit record, chained to the previous one. */
export type AuditEntry = AuditFacts & { readonly seal: string };
