import { getToolName } from 'ai';
import { isRecord, parseJson } from '../../protocol/json.ts';
import type { KnownAnswer } from '../chat/live/known-answers.ts';
import type { ToolPart } from '../chat/message-parts.ts';
import { readableName } from '../text/readable-name.ts';
import { parseResolution, type Resolution } from './resolution.ts';
import {
  type CallMeasures,
  type CallReport,
  parseMeasures,
  parseStatus,
  type ToolLifecycle,
  type Withdrawal,
} from './tool-lifecycle.ts';

/**
 * What a call looks like to a person. `sending`: its question was answered on this page, and the server has not confirmed
 * that it received the answer. `approved`: it has, and the call has not started. `withheld`: it ran, and its result follows after the turn's last answer. `withdrawn`:
 * the question ended without an answer, or the call is known not to have run. `unknown`: it started, and its outcome is
 * unknown.
 */
export type CallState =
  | 'preparing'
  | 'asking'
  | 'sending'
  | 'approved'
  | 'running'
  | 'searching'
  | 'retrying'
  | 'withheld'
  | 'done'
  | 'failed'
  | 'unknown'
  | 'denied'
  | 'withdrawn';

/** One call, ready to be shown: the message's part, the latest report and its answer combined. */
export type CallView = CallMeasures & {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The tool's name for people. */
  readonly title: string;
  readonly state: CallState;
  /** What it was meant to do, in a sentence, as in its question. Absent for a call without a question. */
  readonly description?: string;
  /** The arguments that it ran with or will run with. Absent until a message contains the call. */
  readonly input?: unknown;
  /** The arguments as proposed, where edited ones were approved. */
  readonly proposedInput?: unknown;
  /** Its result; while a generator tool runs, its latest preliminary output. */
  readonly output?: unknown;
  /** What went wrong, in a sentence. */
  readonly problem?: string;
  /** How its question ended, or that a rule denied it. Absent while it is open, and for any other call without a question. */
  readonly approval?: {
    readonly id: string;
    readonly approved: boolean;
    readonly reason?: string;
    /** Present when no person answered. */
    readonly withdrawn?: Withdrawal;
    /** A rule denied it: no person was asked. */
    readonly isAutomatic?: true;
  };
  /** Who answered, and when, as far as this page knows. */
  readonly answer?: KnownAnswer;
  /** The answer that is being sent, in the state `sending`. */
  readonly sending?: KnownAnswer;
  /** What became known after its outcome was recorded as unknown. */
  readonly resolved?: Resolution;
  /** It was imported with its chat, and not made here. */
  readonly imported?: true;
};

/** A call in a message, combined with its reports and answers. */
export function callOfPart(
  part: ToolPart,
  report: ToolLifecycle | undefined,
  answer: KnownAnswer | undefined,
): CallView {
  const toolName = getToolName(part);
  const stored = part.toolMetadata?.countersign;
  const facts = isRecord(stored) ? stored : {};
  const executed = facts.input ?? answer?.input;
  const approval = approvalOf(part, answer);
  const asked = part.approval?.descriptor;
  const resolved = parseResolution(facts.resolved);
  const problem = parseStatus(stored).problem ?? part.errorText ?? report?.problem ?? report?.error;
  return {
    ...parseMeasures(stored),
    ...parseMeasures(report),
    toolCallId: part.toolCallId,
    toolName,
    title: part.title ?? readableName(toolName),
    state: (resolved ?? facts).outcome === 'not-run' ? 'withdrawn' : stateOfPart(part, report),
    ...(isRecord(asked) && typeof asked.description === 'string' && { description: asked.description }),
    input: executed ?? part.input,
    ...(executed !== undefined && { proposedInput: part.input }),
    ...outputOf(report, part.output),
    ...(problem !== undefined && { problem }),
    ...(approval && { approval }),
    ...(approval && answer && { answer }),
    ...(resolved && { resolved }),
    ...(facts.imported === true && { imported: true }),
  };
}

/** A call whose answer the server has not confirmed. Its outcome is not known, whatever its part contains. */
export function callOfUnsent(part: ToolPart, answer: KnownAnswer): CallView {
  const { approval: _approval, answer: _answer, ...call } = callOfPart(part, undefined, answer);
  return { ...call, state: 'sending', sending: answer };
}

/** A call that is written or runs while the message does not show it yet: only its reports are known. @source T6, T18 */
export function callOfReport(report: CallReport): CallView {
  const problem = report.problem ?? report.error;
  const { delta } = report;
  return {
    ...parseMeasures(report),
    toolCallId: report.toolCallId,
    toolName: report.toolName,
    title: report.title ?? readableName(report.toolName),
    state: stateOfReport(report) ?? 'preparing',
    // Text until the arguments are complete.
    ...(delta && { input: parseJson(delta) ?? delta }),
    ...outputOf(report),
    ...(problem !== undefined && { problem }),
  };
}

/** The latest preliminary output of a running call. */
function outputOf(report?: ToolLifecycle, own?: unknown): { output?: unknown } {
  const output = own ?? (report?.phase === 'progressed' ? report.output : undefined);
  return output === undefined ? {} : { output };
}

function stateOfPart(part: ToolPart, report: ToolLifecycle | undefined): CallState {
  switch (part.state) {
    case 'input-streaming':
      return 'preparing';
    case 'input-available':
      return stateOfReport(report) ?? 'running';
    case 'approval-requested':
      return part.approval.isAutomatic === true ? 'approved' : 'asking';
    case 'approval-responded':
      return part.approval.approved ? (stateOfReport(report) ?? 'approved') : denialOf(part);
    case 'output-available':
      return part.preliminary === true ? 'running' : 'done';
    case 'output-error':
      return parseStatus(part.toolMetadata?.countersign).outcome ?? 'failed';
    case 'output-denied':
      return denialOf(part);
  }
}

function stateOfReport(report: ToolLifecycle | undefined): CallState | undefined {
  switch (report?.phase) {
    case undefined:
    case 'requested':
      return undefined;
    case 'started':
    case 'progressed':
      return 'running';
    case 'searching':
      return 'searching';
    case 'retrying':
      return 'retrying';
    case 'completed':
      return 'withheld';
    case 'failed':
      return report.outcome ?? 'failed';
    case 'denied':
      return report.withdrawn ? 'withdrawn' : 'denied';
    case 'cancelled':
      return 'withdrawn';
  }
}

/** A call whose question was withdrawn counts as not denied. The server marks it in a field next to the answer. */
function withdrawalOf(part: ToolPart): Withdrawal | undefined {
  return parseStatus(part.callProviderMetadata?.countersign).withdrawn;
}

function denialOf(part: ToolPart): 'withdrawn' | 'denied' {
  return withdrawalOf(part) ? 'withdrawn' : 'denied';
}

/** After a regenerate, a kept call's approval is repeated as an automatic one, although a person gave it. */
function approvalOf(part: ToolPart, answer: KnownAnswer | undefined): CallView['approval'] {
  const { approval } = part;
  const isAutomatic = approval?.isAutomatic === true && !answer;
  if (approval?.approved === undefined || (isAutomatic && approval.approved)) return undefined;
  const { id, approved, reason } = approval;
  const withdrawn = approved ? undefined : withdrawalOf(part);
  if (withdrawn) return { id, approved, withdrawn };
  return { id, approved, reason, isAutomatic: isAutomatic || undefined };
}
