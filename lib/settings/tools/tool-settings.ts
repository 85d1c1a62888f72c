import type {
  Preview,
  Principal,
  Risk,
  Secrets,
  SubjectHistory,
  ToolKind,
  ToolPlugins,
} from '../../protocol/index.ts';
import type { ApproverRule, RuledQuestion } from '../approver-rule.ts';
import type { CallContext, TurnFacts } from '../call/call-context.ts';
import type { AnswerOption } from '../forms/answer-option.ts';

/**
 * The recent authentication that a person needs to answer. The host provides it in `authorize`, as
 * `authenticatedAt` and `authenticationMethods` of the principal.
 *
 * @source ADR 0015
 */
export type StepUp = {
  /** The maximum age of `authenticatedAt`, in milliseconds, by the server's clock. */
  readonly maxAgeMs: number;
  /** At least one of these must be in `authenticationMethods`. Default: any sign-in counts. */
  readonly methods?: readonly string[];
};

/** How much harm a call could do, and why, in at most 200 characters. */
export type RiskRating = Risk | { readonly level: Risk; readonly reason: string };

/** Has a method's type, so that a tool's details fit when the tool is unknown. */
type RateRisk<Input> = {
  rate(input: Input, context: { readonly history?: SubjectHistory }): RiskRating | undefined;
}['rate'];

/** Additional properties of a tool beyond its schema. All are optional and kept beside the SDK's tools. */
export type ToolDetails<Input = never, Output = never> = ToolPlugins & {
  /**
   * What the call will do, in one sentence of at most 2,000 characters: the headline of the approval card. It
   * must depend on the parsed arguments alone; if the sentence changes by itself, its question becomes
   * outdated. If the function throws or returns anything other than a string, this is logged, and the default
   * is shown: the tool's title or name. The arguments are shown in any case.
   */
  describe?(input: Input): string;
  /**
   * How much harm the call could do, shown with the question, and why. A function gets the arguments that the
   * tool would receive, as JSON, and the history of their `subject`. If it fails, this is logged, and the
   * risk is high.
   *
   * @example ({ amount }, { history }) => (history?.count === 0 ? { level: 'high', reason: 'new payee' } : 'medium')
   * @source ADR 0040
   */
  readonly risk?: RiskRating | RateRisk<Input>;
  /**
   * What the call is about, in a few words, such as the payee: the question shows how many calls with the
   * same subject the asker has completed. Gets the arguments that the tool would receive, as JSON, and must
   * depend only on them.
   *
   * @source ADR 0040
   */
  subject?(input: Input): string | undefined;
  /**
   * The effect that the call would have: rows that would change, the difference, totals. It is called when
   * the question is asked, again when the effect that was shown is older than a minute, and for edited
   * arguments. It must have no side effects. The result is recorded with the question, without the values of
   * `secrets.input` and without table columns named like the last key of a `secrets.output` path. People who
   * may answer see it.
   *
   * If it throws, takes longer than 3 s, or returns anything other than a `Preview` of at most 32,768
   * characters, this is logged, and the question says that the effect is not known.
   *
   * @param context.principal who asked for the turn, as `execute` gets it
   * @returns `undefined` if there is nothing to show for these arguments
   * @source ADR 0040
   */
  preview?(
    input: Input,
    context: TurnFacts & { readonly abortSignal: AbortSignal },
  ): Preview | undefined | Promise<Preview | undefined>;
  /** If true, a call whose `preview` failed cannot be approved. Default false. @source ADR 0040 */
  readonly previewRequired?: boolean;
  /**
   * Summarizes a result for people: a string of at most 2,000 characters, and an integer of at least 0.
   * Invalid values are logged, and the default is shown. The default count of an array is its length, of
   * another value 1, and of nothing 0.
   */
  summarize?(output: Output, input: Input): { summary: string; resultCount?: number };
  /**
   * What an error that the tool threw means, in one sentence of at most 2,000 characters, for people and for the model.
   * Gets the arguments as JSON. If it throws or returns no text, that is logged, and the error's own message is shown,
   * without a stack and without the paths of files.
   *
   * @example (error) => (error instanceof QuotaError ? 'The catalogue is closed until tomorrow.' : 'The search failed.')
   * @source A8
   */
  describeError?(error: unknown, input: Input): string;
  readonly kind?: ToolKind;
  readonly title?: string;
  /**
   * True if running a call again has no further effect, by nature or because the tool passes on
   * `context.idempotencyKey`. Only such a call is retried after a transient failure, and run again after a
   * crash. Default false.
   *
   * @source A10, ADR 0019
   */
  readonly idempotent?: boolean;
  /**
   * True if calls of this tool may ask the person something while they run, with `context.ask`. Tools of
   * `elicitations()` may ask without it.
   *
   * @source ADR 0037
   */
  readonly mayAsk?: boolean;
  /** If false, the UI does not offer to retry a failed call. Default true. @source A11 */
  readonly retryable?: boolean;
  /**
   * The time limit of one attempt, in milliseconds. At the limit the call is aborted and abandoned: an
   * `idempotent` call has failed, and any other has an unknown outcome. Default: no limit.
   *
   * @source ADR 0019
   */
  readonly timeoutMs?: number;
  /**
   * Finds out the outcome of a call whose server died while it ran. The instance that takes over the run
   * calls it before it records the call as unknown, and before it runs an `idempotent` tool again.
   *
   * @param idempotencyKey the key that `execute` received as `context.idempotencyKey`
   * @returns the outcome; `undefined` if it is not known. A `lookup` that throws, or takes longer than 10 s
   * (or `timeoutMs`), counts as `undefined`. Return `not-run` only if the effect can no longer happen.
   * @source ADR 0019
   */
  lookup?(
    idempotencyKey: string,
    call: {
      readonly input: Input;
      /** The `context` that `execute` receives. */
      readonly context: CallContext;
      readonly abortSignal: AbortSignal;
    },
  ): LookupResult | Promise<LookupResult>;
  /** How long a question about this tool stays open. Overrides the flow's setting. @source H12 */
  readonly deadlineMs?: number;
  /** How long an approval of this tool stays valid until it is used. Overrides the flow's setting. @source ADR 0020 */
  readonly approvalValidForMs?: number;
  /**
   * Who may answer questions about this tool. If the flow also has `mayAnswer`, both must allow it. Otherwise
   * this rule alone decides, and the people it allows need no access to the chat. Default: the flow's rule.
   *
   * @source ADR 0015
   */
  readonly approvers?: ApproverRule;
  /**
   * Tells a person who may not answer who may, in one or two sentences of at most 500 characters. Gets the
   * arguments of `approvers`. If it throws or returns no text, this is logged, and the question says only
   * that somebody else must answer.
   *
   * @example () => "Waiting for a manager. You can't approve your own request."
   * @source ADR 0015
   */
  whoMayAnswer?(principal: Principal, question: RuledQuestion): string | undefined;
  /**
   * If false, people who may answer questions about this tool but not see the chat get neither the asker's
   * last message nor what the model said before the call. Default true.
   *
   * @source ADR 0015
   */
  readonly shareContext?: boolean;
  /**
   * Part of what questions about this tool are bound to. Change it when the tool's behaviour changes in a way
   * that its definition does not show; open questions are then asked again. At most a few words.
   *
   * @source ADR 0020
   */
  readonly version?: string;
  /**
   * Answers to questions about this tool need a recent sign-in or second factor, over every transport. Other
   * answers are refused (`step-up-required`), and the question stays open. A remembered approval applies only
   * while its person's sign-in is recent enough. Stopping and sending messages need none.
   *
   * @source ADR 0015
   */
  readonly stepUp?: StepUp;
  /**
   * If true, cards ask for a reason before they send a denial. The reason is not required: the server accepts
   * a denial without one. Default false.
   *
   * @source H13
   */
  readonly reasonOnDeny?: boolean;
  /**
   * Named choices of this tool's questions, in place of Approve and Deny: 2 to 6. Each one approves, with the arguments of the
   * call or with others, or denies. If none of them denies, Deny remains. The question contains what each option would run,
   * and an option runs exactly that.
   *
   * @source ADR 0050
   */
  readonly options?: readonly AnswerOption<Input>[];
  /** The parts of its input and output that are hidden from people. The tool still receives the full values. */
  readonly secrets?: Secrets;
};

/** The outcome of a call, as the tool's `lookup` found it; `undefined` if it is not known. @source ADR 0019 */
export type LookupResult =
  /** `output`: what `execute` would have returned. */
  | { readonly outcome: 'completed'; readonly output: unknown }
  /** The call had no effect. `error`: the reason, in a sentence for people and the model. */
  | { readonly outcome: 'failed'; readonly error: string }
  /** The call never ran and can no longer run. */
  | { readonly outcome: 'not-run' }
  | undefined;
