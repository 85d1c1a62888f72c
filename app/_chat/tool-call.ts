import { z } from 'zod';
import type { ToolPart } from './chat-message.ts';
import { toolNameOf } from './chat-message.ts';
import { readableName } from './readable-name.ts';
import type { ToolLifecycle } from './tool-lifecycle.ts';

/**
 * What a call looks like to a person. `held`: it ran, and its result follows after the turn's last answer.
 * `withdrawn`: nobody answered before the question ended. `unknown`: it was started and never heard of again.
 */
export type CallState =
  | 'preparing'
  | 'asking'
  | 'approved'
  | 'running'
  | 'searching'
  | 'retrying'
  | 'held'
  | 'done'
  | 'failed'
  | 'unknown'
  | 'denied'
  | 'withdrawn';

/** One call, ready to be shown: the message part and the newest lifecycle report in one. */
export type CallView = {
  toolCallId: string;
  toolName: string;
  title: string;
  state: CallState;
  input?: unknown;
  output?: unknown;
  problem?: string;
  summary?: string;
  resultCount?: number;
  durationMs?: number;
  wasRetried?: boolean;
  approval?: { id: string; approved: boolean; reason?: string };
};

const withdrawals = new Set(['superseded', 'cancelled', 'expired']);
const outcomeUnknown = 'outcome-unknown:';
const edited = z.object({ countersign: z.object({ input: z.unknown() }) });

/** A call that a message holds, with what the live reports add to it. */
export function callOfPart(part: ToolPart, report: ToolLifecycle | undefined): CallView {
  const toolName = toolNameOf(part);
  const executed = edited.safeParse(part.toolMetadata).data?.countersign.input;
  return {
    ...reported(report),
    toolCallId: part.toolCallId,
    toolName,
    title: part.title ?? readableName(toolName),
    state: stateOfPart(part, report),
    input: executed ?? part.input,
    output: part.output,
    problem: part.errorText?.replace(outcomeUnknown, '').trim() ?? report?.error,
    approval: approvalOf(part),
  };
}

/** A call that runs while the message does not show it yet: only its reports are known (T6). */
export function callOfReport(report: ToolLifecycle): CallView {
  return {
    ...reported(report),
    toolCallId: report.toolCallId,
    toolName: report.toolName,
    title: readableName(report.toolName),
    state: stateOfReport(report) ?? 'preparing',
    problem: report.error,
  };
}

function reported(report: ToolLifecycle | undefined): Partial<CallView> {
  if (report === undefined) return {};
  const { summary, resultCount, durationMs, wasRetried } = report;
  return { summary, resultCount, durationMs, wasRetried };
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
      return part.approval.approved ? (stateOfReport(report) ?? 'approved') : 'denied';
    case 'output-available':
      return part.preliminary === true ? 'running' : 'done';
    case 'output-error':
      return part.errorText.startsWith(outcomeUnknown) ? 'unknown' : 'failed';
    case 'output-denied':
      return withdrawals.has(part.approval.reason ?? '') ? 'withdrawn' : 'denied';
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
      return 'held';
    case 'failed':
      return 'failed';
    case 'denied':
      return 'denied';
    case 'cancelled':
      return 'withdrawn';
  }
}

function approvalOf(part: ToolPart): CallView['approval'] {
  const approval = part.approval;
  if (approval?.approved === undefined || approval.isAutomatic === true) return undefined;
  return { id: approval.id, approved: approval.approved, reason: approval.reason };
}
