import type { UIMessage } from 'ai';
import { isRecord } from '../../protocol/json.ts';
import { isAnswered, isDone, isPart, isStepMark, type Part } from '../../protocol/parts.ts';
import type { AnswerExtras } from './kept-answers.ts';

/** What `useChat` is about to send, in the SDK's terms. */
export type RequestToSlim = {
  readonly trigger: 'submit-message' | 'regenerate-message';
  readonly messageId: string | undefined;
  readonly messages: readonly UIMessage[];
  /** Names of the tools that the client executes. */
  readonly clientTools: ReadonlySet<string>;
  /** The parts of an answer that a message cannot hold: all but its reason. Default: nothing. */
  readonly extrasOf?: (approvalId: string, approved: boolean) => AnswerExtras;
};

/** An answer on the wire: only what the person decided. */
export type SlimAnswer = AnswerExtras & {
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
};

/** A client tool's outcome on the wire. */
export type SlimOutput =
  | { readonly toolCallId: string; readonly output: unknown }
  | { readonly toolCallId: string; readonly errorText: string };

/** What a request adds to the chat. The server has everything else. */
export type SlimFields = {
  readonly messageId?: string;
  /** The user message; or the assistant message, if the server has replied to these answers before. */
  readonly message?: {
    readonly id: string;
    readonly role: 'user' | 'assistant';
    readonly metadata?: unknown;
    readonly parts: readonly unknown[];
  };
  readonly answers?: readonly SlimAnswer[];
  readonly outputs?: readonly SlimOutput[];
};

/**
 * The new content of a request, regardless of the length of the chat. An answer without a reason fits into 1 KiB.
 * Linear in the parts of one message. Never throws on malformed parts.
 *
 * @returns no fields when there is nothing to send
 * @source H1
 */
export function slimFieldsOf(request: RequestToSlim): SlimFields {
  const { trigger, messageId, messages, clientTools } = request;
  const newsOf = (step: readonly Part[]) => fieldsOf(step, request);
  if (trigger === 'regenerate-message') {
    return { ...named(messageId), ...messageField(lastOf(messages, 'user')) };
  }
  const last = messages.at(-1);
  if (last?.role !== 'user') {
    const steps = stepsOf(partsOf(last));
    const newest = newestNews(steps, clientTools);
    const isRepeated = newest !== -1 && newest < steps.length - 1;
    return { ...newsOf(steps[newest] ?? []), ...(isRepeated && messageField(last)) };
  }

  // The SDK names the edited user message, or the assistant message whose answer is sent; only the first is an edit.
  const isEdit = messages.find((message) => message.id === messageId)?.role !== 'assistant';
  return {
    ...(isEdit && named(messageId)),
    ...messageField(last),
    ...newsOf(stepsOf(partsOf(lastOf(messages, 'assistant'))).at(-1) ?? []),
  };
}

function named(messageId: string | undefined): SlimFields {
  return messageId === undefined ? {} : { messageId };
}

/**
 * The index of the newest step that has any news: answers repeated from earlier steps would grow with the chat. If the page has
 * parts of a later step, the server has replied, and must know what not to send twice.
 */
function newestNews(steps: readonly (readonly Part[])[], clientTools: ReadonlySet<string>): number {
  return steps.findLastIndex((step) => step.some((part) => isAnswered(part) || isDone(part, clientTools)));
}

function fieldsOf(step: readonly Part[], { clientTools, extrasOf }: RequestToSlim): SlimFields {
  const answers = step.flatMap((part) => {
    const answer = answerOf(part, clientTools);
    if (!answer) return [];
    return { ...answer, ...extrasOf?.(answer.approvalId, answer.approved) };
  });
  const outputs = step.flatMap((part) => outputOf(part, clientTools) ?? []);
  return {
    answers: answers.length > 0 ? answers : undefined,
    outputs: outputs.length > 0 ? outputs : undefined,
  };
}

/** A client tool's outcome replaces its answer in the part, so a granted approval is read from there too. */
function answerOf(part: Part, clientTools: ReadonlySet<string>): SlimAnswer | undefined {
  if (!isAnswered(part) && !isDone(part, clientTools)) return undefined;
  const approval = isRecord(part.approval) ? part.approval : {};
  const { id, approved, reason, isAutomatic } = approval;
  if (typeof id !== 'string' || typeof approved !== 'boolean' || isAutomatic === true) return undefined;
  return { approvalId: id, approved, reason: typeof reason === 'string' ? reason : undefined };
}

function outputOf(part: Part, clientTools: ReadonlySet<string>): SlimOutput | undefined {
  if (!isDone(part, clientTools) || typeof part.toolCallId !== 'string') return undefined;
  const { output, errorText } = part as { output?: unknown; errorText?: unknown };
  return part.state === 'output-error'
    ? { toolCallId: part.toolCallId, errorText: typeof errorText === 'string' ? errorText : 'failed' }
    : { toolCallId: part.toolCallId, output: output === undefined ? null : output };
}

function messageField(message: UIMessage | undefined): SlimFields {
  if (!message) return {};
  const { id, metadata, parts } = message;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return {
    message: { id, role, metadata: role === 'user' && metadata !== undefined ? metadata : undefined, parts },
  };
}

function lastOf(messages: readonly UIMessage[], role: UIMessage['role']): UIMessage | undefined {
  return messages.findLast((message) => message.role === role);
}

function partsOf(message: UIMessage | undefined): readonly Part[] {
  return message?.role === 'assistant' ? message.parts.filter(isPart) : [];
}

/** The parts between step marks; a message without marks is one step. */
function stepsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (isStepMark(part)) steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps;
}
