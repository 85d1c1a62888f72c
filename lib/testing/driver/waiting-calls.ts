import { getToolName, isToolUIPart, type UIMessage } from 'ai';
import type { Observation } from './observation.ts';

/** A call of the last message that waits for a person or the client. */
export type WaitingCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The question that waits for a person. If absent, the call waits for output from the client. */
  readonly approvalId?: string;
};

/** The unanswered questions of the last message, in display order. */
export function openQuestions(messages: readonly UIMessage[]): WaitingCall[] {
  return waitingCalls(messages, ['approval-requested']);
}

/** The calls of the last message that the client must execute. */
export function handedOver(messages: readonly UIMessage[]): WaitingCall[] {
  return waitingCalls(messages, ['input-available', 'approval-responded']);
}

/** Whether the last message is an answer in which no call is waiting. */
export function isFinal(messages: readonly UIMessage[]): boolean {
  const states = ['input-streaming', 'input-available', 'approval-requested', 'approval-responded'];
  return messages.at(-1)?.role === 'assistant' && waitingCalls(messages, states).length === 0;
}

/** The only call of a tool in this list; without a tool, the only call. */
export function onlyOne(
  calls: readonly WaitingCall[],
  tool: string | undefined,
  what: string,
): Observation<WaitingCall> {
  const fitting = calls.filter(({ toolName }) => tool === undefined || toolName === tool);
  const [call] = fitting;
  if (call && fitting.length === 1) return { found: call };
  return { missing: `${fitting.length} ${what}${tool === undefined ? '' : ` for ${tool}`}` };
}

function waitingCalls(messages: readonly UIMessage[], states: readonly string[]): WaitingCall[] {
  const last = messages.at(-1);
  const parts = last?.role === 'assistant' ? last.parts.filter(isToolUIPart) : [];
  return parts
    .filter(({ state }) => states.includes(state))
    .map((part) => {
      const { toolCallId, input, approval } = part;
      const question = approval ? { approvalId: approval.id } : {};
      return { toolCallId, toolName: getToolName(part), input, ...question };
    });
}
