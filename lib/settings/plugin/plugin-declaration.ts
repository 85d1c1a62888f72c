import type { RecordWrite } from '../../log/store/index.ts';
import type { Call, Turn } from '../../log/turn/turn.ts';
import type { AtDeadline, JsonValue, Question } from '../../protocol/index.ts';
import type { ApproverRule, RuledQuestion } from '../approver-rule.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { PluginTool } from '../tools/plugin-tools.ts';

/** A call that is about to be asked about. Times are epoch milliseconds. */
export type DueCall = {
  readonly settings: FlowSettings;
  readonly turn: Turn;
  readonly call: Call;
  /** As the question names it. */
  readonly toolName: string;
  readonly now: number;
  /** When the question ends without any plugin. */
  readonly deadline: number | undefined;
  /** Whether it may be asked again if nobody answers. */
  readonly mayAskAgain: boolean;
};

/** A rule that lets more people answer a question. @param name of the setting, for the log */
export type AddedRule = { readonly name: string; readonly rule: ApproverRule };

/** A tool whose details are checked. */
export type CheckedTool = { readonly settings: FlowSettings; readonly toolName: string };

/**
 * What is known of a plugin before a flow is created. It supplies facts, and the kernel does with them what it does for every
 * flow.
 *
 * @source ADR 0056
 */
export type PluginDeclaration = {
  /** Letters, digits and hyphens. Settings of tools, questions, answers and events name the plugin by it. */
  readonly name: string;
  /** Tools that the plugin calls, by name. */
  readonly tools?: Readonly<Record<string, PluginTool>>;
  /**
   * Checks the plugin's setting for one tool, `toolDetails.<tool>.<name>`. Without this, a tool cannot have one.
   *
   * @throws Unfit what `unfit` throws
   */
  readonly checkDetails?: (value: unknown, path: string, tool: CheckedTool) => void;
  /**
   * What a question that is due says of the plugin. An approval of such a question is refused where the plugin is missing.
   *
   * @returns `undefined` for a question that is no business of the plugin
   */
  readonly asked?: (due: DueCall) => JsonValue | undefined;
  /** When and how a question that is due ends without an answer, if it does not end before. */
  readonly ends?: (due: DueCall) => { readonly at: number; readonly then: AtDeadline } | undefined;
  /**
   * Rules that let more people answer a question, in the place of the tool's rule and of the owner. The flow's `mayAnswer` still
   * limits everyone. They may depend on what the events of the plugin have made the question say: a call that was approved by such a
   * rule runs only if the record proves these events.
   */
  readonly rules?: (settings: FlowSettings, question: RuledQuestion) => readonly AddedRule[];
  /** Records that are written with each append that changes this question. */
  readonly records?: (question: Question) => readonly RecordWrite[];
  /** Called once for each flow, when it is created. The type of its kernel is that of a `FlowPlugin`. */
  setUp(kernel: never): { readonly methods: object };
};
