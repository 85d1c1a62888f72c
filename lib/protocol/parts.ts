import type { DynamicToolUIPart, ToolUIPart, UIMessage } from 'ai';
import { isRecord } from './json.ts';

type ToolState = (ToolUIPart | DynamicToolUIPart)['state'];

/**
 * A part of a UI message from an untrusted source: only its type is known. Every part of `ai` fits. The other
 * fields are checked when they are read, because a stored or foreign message may contain anything.
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

/** The argument that `useChat` passes to its predicate. */
export type MessagesToJudge = { messages: UIMessage[] };

/**
 * The parts of the last message, if it is an assistant message. Items that are not parts are left out.
 *
 * @returns no parts for a user message, an empty chat or invalid input; never throws
 * @source P2
 */
export function lastAssistantParts(question: unknown): readonly Part[] {
  return lastAssistantContent(question).filter(isPart);
}

/** The `parts` of the last message, if it is an assistant message; not validated. Constant time. */
export function lastAssistantContent(question: unknown): readonly unknown[] {
  const messages = isRecord(question) ? question.messages : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isRecord(last) && last.role === 'assistant' && Array.isArray(last.parts) ? last.parts : [];
}

/** Whether a value is an object with a type. Checks nothing else. */
export function isPart(value: unknown): value is Part {
  return isRecord(value) && typeof value.type === 'string';
}

/** Whether a part marks the start of a step. A response starts at such a mark. */
export function isStepMark(part: Part): boolean {
  return part.type === 'step-start';
}

/** Whether a message has step marks. */
export function isMarked(content: readonly unknown[]): boolean {
  return content.some((part) => isPart(part) && isStepMark(part));
}

/** Whether a part is text with content. A text part starts empty, so an empty one shows nothing yet. */
export function hasText(part: Part): boolean {
  return part.type === 'text' && typeof part.text === 'string' && part.text !== '';
}

export function isEmptyText(part: Part): boolean {
  return part.type === 'text' && !hasText(part);
}

/** Whether a part is a tool part, static (`tool-*`) or dynamic. */
export function isToolPart(part: Part): boolean {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** The tool name of a tool part; `undefined` for other parts. */
function toolNameOf(part: Part): string | undefined {
  if (part.type === 'dynamic-tool') return typeof part.toolName === 'string' ? part.toolName : undefined;
  return part.type.startsWith('tool-') ? part.type.slice('tool-'.length) : undefined;
}

/** Whether a person approved or denied this call. Automatic answers do not count. */
export function isAnswered(part: Part): boolean {
  return isInState(part, 'approval-responded') && !isAutomatic(part);
}

/** Whether this call is still waiting for a person. */
export function isOpen(part: Part): boolean {
  return isInState(part, 'approval-requested') && !isAutomatic(part);
}

/**
 * The place of the last call up to `end` that is open or answered, and -1 if there is none. This loop is the cost of a long message, so
 * it reads one field of each part, and compares only strings, which is the cheapest test.
 */
export function lastUnsettled(content: readonly unknown[], end: number): number {
  let index = end;
  for (; index >= 0; index -= 1) {
    const state = (content[index] as Partial<Part> | null | undefined)?.state;
    if (typeof state === 'string' && (state === 'approval-requested' || state === 'approval-responded'))
      break;
  }
  return index;
}

/** Whether this call has its final outcome: an output, an error, or a denial. */
function hasEnded(part: Part): boolean {
  return hasOutcome(part) || isInState(part, 'output-denied');
}

/** Whether this call has a final output or an error. A preliminary output does not count. */
function hasOutcome(part: Part): boolean {
  return (
    (isInState(part, 'output-available') && part.preliminary !== true) || isInState(part, 'output-error')
  );
}

/**
 * Whether the client executed this call and has its outcome, with or without approval. The server already
 * knows the outcomes that it reported itself (`providerExecuted`).
 *
 * @source P8
 */
export function isDone(part: Part, clientTools: ReadonlySet<string>): boolean {
  return isClientCall(part, clientTools) && hasOutcome(part);
}

/** Whether the client must execute this call: it may run and has no outcome yet. A denied call never runs. @source P8 */
export function awaitsClient(part: Part, clientTools: ReadonlySet<string>): boolean {
  if (!isClientCall(part, clientTools) || hasEnded(part) || isForm(part)) return false;
  return isInState(part, 'input-available') || isInState(part, 'output-available') || isApproved(part);
}

/** Whether a part is a confirmation call, as ADK makes them: it only asks about another call. @source P6 */
export function isConfirmationCall(part: Part): boolean {
  return toolNameOf(part) === 'adk_request_confirmation';
}

/**
 * Whether any of these parts needs to be sent. A confirmation call does not once its answer was used: the call that it
 * guards ends in this message. If it does not name that call, any call after it is taken for it.
 *
 * @param news parts of the message
 * @param content the whole message; only searched when there is a confirmation call
 * @source P6
 */
export function hasUnused(news: readonly Part[], content: readonly unknown[]): boolean {
  if (!news.every(isConfirmationCall)) return true;
  if (news.length === 0) return false;
  const parts = content.filter(isPart);
  const ended = new Set(parts.filter(hasEnded).map((part) => part.toolCallId));
  const afterLastEnd = new Set(parts.slice(parts.findLastIndex(hasEnded) + 1));
  return news.some((part) => {
    const guarded = guardedCallId(part);
    return guarded === undefined ? afterLastEnd.has(part) : !ended.has(guarded);
  });
}

/**
 * Whether these parts look the same after a reply that has outcomes only. Such a reply changes parts of earlier steps, and
 * leaves its own step empty. Outputs of the client keep their state, and so does a confirmation call that names no call.
 *
 * @param content the whole message; only searched when no other part tells
 * @source P4
 */
export function areRepliedByOutcomes(
  news: readonly Part[],
  content: readonly unknown[],
  clientTools: ReadonlySet<string>,
): boolean {
  const isDoneHere = (part: Part) => isDone(part, clientTools);
  const keepState = news.every(
    (part) => isDoneHere(part) || (isConfirmationCall(part) && guardedCallId(part) === undefined),
  );
  return keepState && content.some((part) => isPart(part) && hasEnded(part) && !isDoneHere(part));
}

/** The id of the call that a confirmation call guards. `undefined` for other parts, and if it names none. @source P6 */
export function guardedCallId(part: Part): string | undefined {
  if (!isConfirmationCall(part) || !isRecord(part.input) || !isRecord(part.input.originalFunctionCall))
    return undefined;
  const { id } = part.input.originalFunctionCall;
  return typeof id === 'string' ? id : undefined;
}

export function isInState(part: Part, state: ToolState): boolean {
  return part.state === state && isToolPart(part);
}

function isClientCall(part: Part, clientTools: ReadonlySet<string>): boolean {
  if (clientTools.size === 0) return false;
  const name = toolNameOf(part);
  return name !== undefined && clientTools.has(name) && part.providerExecuted !== true;
}

/** Whether a call only asks a person. Once it is answered, the server has its outcome. @source ADR 0050 */
function isForm({ approval }: Part): boolean {
  return isRecord(approval) && isRecord(approval.descriptor) && approval.descriptor.needsValue === true;
}

function isApproved(part: Part): boolean {
  return isRecord(part.approval) && part.approval.approved === true;
}

function isAutomatic(part: Part): boolean {
  return isRecord(part.approval) && part.approval.isAutomatic === true;
}
