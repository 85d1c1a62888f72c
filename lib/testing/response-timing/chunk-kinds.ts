import type { UIMessageChunk } from 'ai';

/** A chunk by its type. */
export type ChunkOf<Type extends UIMessageChunk['type']> = Extract<UIMessageChunk, { type: Type }>;

/** A question for a person. Automatic requests do not count. */
export type QuestionChunk = ChunkOf<'tool-approval-request'>;

/** A call's outcome: an output, an error or a denial. Invalid input is an outcome too. */
export type OutcomeChunk =
  | (ChunkOf<'tool-output-available'> & { preliminary?: false })
  | ChunkOf<'tool-output-error' | 'tool-output-denied' | 'tool-input-error'>;

/** Whether a chunk is a question for a person. */
export function isQuestion(chunk: UIMessageChunk): chunk is QuestionChunk {
  return chunk.type === 'tool-approval-request' && chunk.isAutomatic !== true;
}

/** Whether a chunk is a call's outcome. A preliminary output is not. */
export function isOutcome(chunk: UIMessageChunk): chunk is OutcomeChunk {
  switch (chunk.type) {
    case 'tool-output-available':
      return chunk.preliminary !== true;
    case 'tool-output-error':
    case 'tool-output-denied':
    case 'tool-input-error':
      return true;
    default:
      return false;
  }
}

/** Whether a chunk is model output: text, reasoning, sources and files. */
export function isProse(chunk: UIMessageChunk): boolean {
  return /^(text|reasoning|source|file|custom)(-|$)/.test(chunk.type);
}

/** Whether a chunk frames a response or a step. */
export function isFrame(chunk: UIMessageChunk): boolean {
  return ['start', 'start-step', 'finish-step', 'finish', 'error', 'abort'].includes(chunk.type);
}

/** Whether a chunk is data, which T6 checks separately, or metadata. */
export function isBeside(chunk: UIMessageChunk): boolean {
  return chunk.type.startsWith('data-') || chunk.type === 'message-metadata';
}

/** The call that a chunk belongs to, if any. */
export function callIdOf(chunk: UIMessageChunk): string | undefined {
  return 'toolCallId' in chunk ? chunk.toolCallId : undefined;
}

/** Whether a chunk is a data part that the message keeps. */
export function isLastingData(chunk: UIMessageChunk): boolean {
  return chunk.type.startsWith('data-') && !('transient' in chunk && chunk.transient === true);
}

const reports: ReadonlySet<string> = new Set([
  'data-draft',
  'data-message-changed',
  'data-tool-input',
  'data-tool-lifecycle',
]);

/** Whether a chunk reports on the turn, and was not written by a tool or a route. */
export function isReport({ type }: UIMessageChunk): boolean {
  return reports.has(type);
}

/** The state change that a `data-tool-lifecycle` chunk reports. */
export function lifecycleOf(chunk: UIMessageChunk): Record<string, unknown> | undefined {
  if (chunk.type !== 'data-tool-lifecycle' || !('data' in chunk)) return undefined;
  return typeof chunk.data === 'object' && chunk.data !== null ? { ...chunk.data } : undefined;
}
