import type { Tool } from '@ai-sdk/provider-utils';
import type { Pauses } from '../../log/flow-log/pauses.ts';
import type { RecordWrite } from '../../log/store/index.ts';
import type { Call, Turn } from '../../log/turn/turn.ts';
import type {
  AtDeadline,
  GrantId,
  JsonValue,
  Person,
  Principal,
  Question,
  Repeat,
  StandingApproval,
} from '../../protocol/index.ts';
import type { ApproverRule, RuledQuestion } from '../approver-rule.ts';
import type { ToolDetails } from '../tools/tool-settings.ts';

/**
 * A tool that its plugin calls. The model does not get it. A person is asked about each call, and never the one in whose name the
 * call is made.
 *
 * @source ADR 0056
 */
export type PluginTool = { readonly tool: Tool; readonly details: ToolDetails };

/** A call that is about to be asked about. Times are epoch milliseconds. */
export type DueCall<Settings> = {
  readonly settings: Settings;
  readonly turn: Turn;
  readonly call: Call;
  /** As the question names it. */
  readonly toolName: string;
  readonly now: number;
  /** When the question ends without any plugin. */
  readonly deadline: number | undefined;
  /** Whether it may be asked again if it is not answered. */
  readonly mayAskAgain: boolean;
};

/** A rule that lets more people answer a question. @param name of the setting, for the log */
export type AddedRule = { readonly name: string; readonly rule: ApproverRule };

/** A tool whose details are checked. */
export type CheckedTool<Settings> = { readonly settings: Settings; readonly toolName: string };

/** An answer that has passed the checks of the kernel. */
export type GatedAnswer = {
  /** What the question says of the plugin. */
  readonly says: JsonValue;
  readonly question: Question;
  readonly approved: boolean;
  /** The answers that say the same, this one last, each of another person. For edited arguments, this one alone. */
  readonly answers: readonly { readonly by: Person; readonly onBehalfOf?: Person }[];
};

/**
 * Whether an answer settles its question. If not, it is recorded, and the question stays open for other people.
 *
 * @throws CountersignError to refuse the answer
 */
export type AnswerGate = (answer: GatedAnswer) => boolean | Promise<boolean>;

/** An approval that the kernel has let pass, for the plugin to which it says something. */
export type SaidApproval<Settings> = {
  readonly settings: Settings;
  readonly principal: Principal;
  readonly question: Question;
  /** How it approves: `approval` (the arguments as proposed), `edit`, `option`, `value` or `content`. */
  readonly kind: string;
  /** The arguments that would run, as they were written. Not redacted. */
  readonly input: JsonValue;
  readonly makeId: () => GrantId;
  /** This approval, as one that also approves later calls: sealed if the flow has an audit key. */
  readonly standing: (about: Pick<StandingApproval, 'id' | 'covers'>) => Promise<StandingApproval>;
};

/** What a plugin keeps of an approval. */
export type KeptOfApproval = {
  /** Recorded with the answer. Readers get it. */
  readonly said: JsonValue;
  /** Written in the append of the answer. */
  readonly records: readonly RecordWrite[];
};

/** A question that is due. */
export type StandingQuestion<Settings> = {
  readonly settings: Settings;
  readonly turn: Turn;
  /** The call. Not redacted. */
  readonly call: Call;
  /** The question as it would be asked. */
  readonly question: Question;
  /** All ids under which the person for whom the call is made may have answered. None if this person could not answer it now. */
  readonly askerIds: () => Promise<readonly string[]>;
  /** An earlier call with the same arguments, within a day. */
  readonly repeatOf: () => Promise<Repeat | undefined>;
  readonly pauses: Pick<Pauses, 'ready' | 'of'>;
  /** Epoch milliseconds. */
  readonly now: number;
};

/**
 * An earlier approval that a plugin names instead of a question: one that it keeps, of the person for whom the call is made, or the
 * early approval of the call that its last event has, of anyone. The kernel checks the person, the tool and the seal, and records the
 * use itself.
 */
export type StandingClaim = {
  readonly approval: StandingApproval;
  /** Why no question is asked, in a sentence. The chat shows it. */
  readonly reason: string;
  /** Written with the use. If one is not as expected, the approval is not used, and the plugin is asked again. */
  readonly records: readonly RecordWrite[];
};

/**
 * What is known of a plugin before a flow is created. It supplies facts, and the kernel does with them what it does for every
 * flow.
 *
 * @source ADR 0056
 */
export type PluginDeclaration<Settings> = {
  /** Letters, digits and hyphens. Settings of tools, questions, answers and events name the plugin by it. */
  readonly name: string;
  /** Tools that the plugin calls, by name. */
  readonly tools?: Readonly<Record<string, PluginTool>>;
  /**
   * Checks the plugin's setting for one tool, `toolDetails.<tool>.<name>`. Without this, a tool cannot have one.
   *
   * @throws Unfit what `unfit` throws
   */
  readonly checkDetails?: (value: unknown, path: string, tool: CheckedTool<Settings>) => void;
  /**
   * What a question that is due says of the plugin, or an error, which ends the call. An approval of such a question is refused where the plugin is missing.
   *
   * @returns `undefined` for a question that is no business of the plugin
   * @throws Error for a call that cannot be asked about
   */
  readonly asked?: (due: DueCall<Settings>) => JsonValue | undefined;
  /** When and how a question that is due ends without an answer, if it does not end before. */
  readonly ends?: (due: DueCall<Settings>) => { readonly at: number; readonly then: AtDeadline } | undefined;
  /**
   * Rules that let more people answer a question, in the place of the tool's rule and of the owner. The flow's `mayAnswer` still
   * limits everyone. They may depend on what the events of the plugin have made the question say: a call that was approved by such a
   * rule runs only if the record proves these events.
   */
  readonly rules?: (settings: Settings, question: RuledQuestion) => readonly AddedRule[];
  /** Records that are written with each append that changes this question. */
  readonly records?: (question: Question) => readonly RecordWrite[];
  /**
   * Called with each answer to a question that says something of the plugin. Nothing but answers settles such a question: no
   * standing approval.
   */
  readonly gate?: AnswerGate;
  /** Whether this person's approval of a question may say something to the plugin. Without this, none may. */
  readonly offers?: (settings: Settings, principal: Principal, question: Question) => boolean;
  /**
   * What the plugin keeps of an approval that says something to it. Called when the kernel has let the approval pass.
   *
   * @param said as the client wrote it
   * @throws CountersignError `invalid-request`: the approval is refused
   */
  readonly approved?: (said: unknown, approval: SaidApproval<Settings>) => Promise<KeptOfApproval>;
  /**
   * Finds earlier approvals that stand for the answer to a question that is due. The first that the kernel accepts is used.
   *
   * @source ADR 0056.18
   */
  readonly standing?: (due: StandingQuestion<Settings>) => Promise<readonly StandingClaim[]>;
  /** Called once for each flow, when it is created. The type of its kernel is that of a `FlowPlugin`. */
  setUp(kernel: never): { readonly methods: object };
};
