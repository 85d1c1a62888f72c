import type { DynamicToolUIPart, ToolUIPart, UIMessage } from 'ai';
import { isRecord } from './json.ts';

type ToolState = (ToolUIPart | DynamicToolUIPart)['state'];

/**
 * A part of a UI message as it arrives from outside: only its type is known. Every part of `ai` fits; the other
 * fields are read in doubt, because a stored or foreign message may hold anything.
 */
export type Part = {
  readonly type: string;
  readonly text?: unknown;
  readonly toolName?: unknown;
  readonly toolCallId?: unknown;
  readonly state?: unknown;
  readonly input?: unknown;
  readonly approval?: unknown;
  readonly preliminary?: unknown;
  readonly providerExecuted?: unknown;
};

/** What `useChat` asks its predicate with. */
export type MessagesToJudge = { messages: UIMessage[] };

/**
 * The parts of the last message, if it is an assistant message. Anything that is no part is left out.
 *
 * @returns no parts for a user message, an empty chat or odd input; never throws
 * @source contract P2
 */
export function lastAssistantParts(question: unknown): readonly Part[] {
  return lastAssistantContent(question).filter(isPart);
}

/**
 * What the last message holds, if it is an assistant message, parts or not. Costs nothing, however long it is.
 *
 * @see lastAssistantParts
 */
export function lastAssistantContent(question: unknown): readonly unknown[] {
  const messages = isRecord(question) ? question.messages : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isRecord(last) && last.role === 'assistant' && Array.isArray(last.parts) ? last.parts : [];
}

/** Whether a value is an object with a type; nothing else is taken for granted. */
export function isPart(value: unknown): value is Part {
  return isRecord(value) && typeof value.type === 'string';
}

/** Whether a part marks the beginning of a step, which is also where a response begins. */
export function isStepMark(part: Part): boolean {
  return part.type === 'step-start';
}

/** Whether a part is text that shows something. A text part is born empty, so an empty one says nothing yet. */
export function hasText(part: Part): boolean {
  return part.type === 'text' && typeof part.text === 'string' && part.text !== '';
}

/** Whether a part is a text part without content. */
export function isEmptyText(part: Part): boolean {
  return part.type === 'text' && !hasText(part);
}

/** Whether a part is a tool's, static (`tool-*`) or dynamic. */
export function isToolPart(part: Part): boolean {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** The name of a tool part's tool; `undefined` for other parts. */
function toolNameOf(part: Part): string | undefined {
  if (part.type === 'dynamic-tool') return typeof part.toolName === 'string' ? part.toolName : undefined;
  return part.type.startsWith('tool-') ? part.type.slice('tool-'.length) : undefined;
}

/** Whether a person answered the question of this call, with yes or no. Automatic answers are nobody's. */
export function isAnswered(part: Part): boolean {
  return isInState(part, 'approval-responded') && !isAutomatic(part);
}

/** Whether this call's question still waits for a person. */
export function isOpen(part: Part): boolean {
  return isInState(part, 'approval-requested') && !isAutomatic(part);
}

/** Whether this call has its last outcome: a final output, an error, or a denial. */
function isSettled(part: Part): boolean {
  return hasOutcome(part) || isInState(part, 'output-denied');
}

/** Whether this call has a final output or an error; a preliminary output is still growing. */
function hasOutcome(part: Part): boolean {
  return (
    (isInState(part, 'output-available') && part.preliminary !== true) || isInState(part, 'output-error')
  );
}

/**
 * Whether the client itself executed this call and its outcome is there, gated or not. What the server settled
 * (`providerExecuted`) is the server's word, and nothing to tell it.
 *
 * @source contract P8
 */
export function isDone(part: Part, clientTools: ReadonlySet<string>): boolean {
  return isClientCall(part, clientTools) && hasOutcome(part);
}

/**
 * Whether this call is the client's to execute, may run, and has no outcome yet. A denied call never runs.
 *
 * @source contract P8
 */
export function awaitsClient(part: Part, clientTools: ReadonlySet<string>): boolean {
  if (!isClientCall(part, clientTools) || isSettled(part)) return false;
  return isInState(part, 'input-available') || isInState(part, 'output-available') || isApproved(part);
}

/**
 * Whether a part is a stand-in: a call whose only purpose is to ask for another call, which it guards.
 *
 * @source contract P6
 */
export function isStandIn(part: Part): boolean {
  return toolNameOf(part) === 'adk_request_confirmation';
}

/**
 * Whether any of these parts is there for its own sake: not a stand-in whose guarded call is settled in this message,
 * which used its answer up.
 *
 * @param news parts of the message
 * @param content the whole message; looked through only for a stand-in
 * @source contract P6
 */
export function hasUnused(news: readonly Part[], content: readonly unknown[]): boolean {
  if (news.some((part) => guardedCallId(part) === undefined)) return true;
  if (news.length === 0) return false;
  const settled = new Set(
    content
      .filter(isPart)
      .filter(isSettled)
      .map((part) => part.toolCallId),
  );
  return news.some((part) => !settled.has(guardedCallId(part)));
}

/** The id of the call that a stand-in asks for. */
function guardedCallId(part: Part): string | undefined {
  if (!isStandIn(part) || !isRecord(part.input) || !isRecord(part.input.originalFunctionCall))
    return undefined;
  const { id } = part.input.originalFunctionCall;
  return typeof id === 'string' ? id : undefined;
}

/** Whether a part is in this state of a tool call. */
export function isInState(part: Part, state: ToolState): boolean {
  return part.state === state && isToolPart(part);
}

function isClientCall(part: Part, clientTools: ReadonlySet<string>): boolean {
  if (clientTools.size === 0) return false;
  const name = toolNameOf(part);
  return name !== undefined && clientTools.has(name) && part.providerExecuted !== true;
}

function isApproved(part: Part): boolean {
  return isRecord(part.approval) && part.approval.approved === true;
}

function isAutomatic(part: Part): boolean {
  return isRecord(part.approval) && part.approval.isAutomatic === true;
}
