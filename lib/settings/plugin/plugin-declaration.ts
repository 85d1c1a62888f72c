import type { Call, Turn } from '../../log/turn/turn.ts';
import type { JsonValue } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { PluginTool } from '../tools/plugin-tools.ts';

/** A call that is about to be asked about. Times are epoch milliseconds. */
export type DueCall = {
  readonly settings: FlowSettings;
  readonly turn: Turn;
  readonly call: Call;
  readonly now: number;
};

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
  /** Called once for each flow, when it is created. The type of its kernel is that of a `FlowPlugin`. */
  setUp(kernel: never): { readonly methods: object };
};
