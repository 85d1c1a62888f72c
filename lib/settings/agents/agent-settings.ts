import type { FlexibleSchema } from '@ai-sdk/provider-utils';
import type { ToolSet } from 'ai';
import type { ModelSetting } from '../call/model-settings.ts';
import type { FlowSettings } from '../flow-settings.ts';

/**
 * The settings of an agent that runs within a flow: the settings of `new ToolLoopAgent` that a subagent
 * supports, and `toolDetails` for its tools, as in `createApprovalFlow`. All its tools have an `execute` or
 * are subagents.
 *
 * @source ADR 0035
 */
export type AgentSettings<Tools extends ToolSet = ToolSet> = Pick<
  FlowSettings<Tools>,
  ModelSetting | 'tools' | 'toolApproval' | 'toolDetails' | 'stopWhen'
>;

/** How a subagent appears to the model that calls it. */
export type SubagentTool<Input> = {
  readonly title?: string;
  /** When to call it, for the model. */
  readonly description: string;
  readonly inputSchema: FlexibleSchema<Input>;
  /** The subagent's only user message, from the parsed arguments of the call. Evaluated once for each call, and recorded. */
  readonly prompt: (input: Input) => string;
};
