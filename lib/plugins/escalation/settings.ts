import type { AtDeadline } from '../../protocol/index.ts';
import type { ApproverRule } from '../../settings/approver-rule.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { askingTool, detailsOf } from '../../settings/tools/tool-details.ts';

/** A step of an escalation. Times are milliseconds. */
export type EscalationStep = {
  /** When it is due, counted from when the question was asked. */
  readonly afterMs: number;
  /**
   * Who may answer from this step on, besides those who could before. Called like `approvers`, and only `true` counts as
   * permission. If the flow has `mayAnswer`, that must allow it, too.
   */
  readonly to: ApproverRule;
  /** Whom this step adds, such as "managers". It is shown with the question; at most 100 characters. */
  readonly label?: string;
  /** How often people are reminded after this step, until the next one. A question has at most 100 reminders. */
  readonly remindEveryMs?: number;
};

/**
 * What happens to a question while nobody answers it. Each step adds people who may answer, and is recorded in the log before
 * they may. No setting approves a call after a time.
 *
 * @source ADR 0048
 */
export type Escalation = {
  /** In the order of their times; at most 10. */
  readonly steps: readonly EscalationStep[];
  /**
   * What happens at the end, without an answer. `deny`: as at a deadline. `withdraw`: the call ends without an answer.
   * `ask-again`: a new question replaces this one, and the escalation starts over, at most 3 times. Then the call is denied.
   * A question that cannot be asked again is denied: that of a running call, and of a call that the model's provider runs.
   */
  readonly end?: { readonly afterMs: number; readonly then: AtDeadline };
};

declare module '../../flow/plugin/index.ts' {
  interface ToolPlugins {
    /**
     * What happens to questions about this tool while nobody answers them. `false`: nothing, whatever the setting for all tools is.
     * Default: the setting for all tools.
     *
     * @source ADR 0048
     */
    readonly escalation?: Escalation | false;
  }
}

/** The escalation of a tool's questions, also of those that its running calls ask: its own, or that of all tools. */
export function escalationOf(
  settings: FlowSettings,
  toolName: string,
  ofAll: Escalation | undefined,
): Escalation | undefined {
  const { escalation = ofAll } = detailsOf(settings, askingTool(settings, toolName));
  return escalation === false ? undefined : escalation;
}
