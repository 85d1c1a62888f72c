import type { UIMessageChunk } from 'ai';
import { text } from '../chunks/chunk-builders.ts';
import { isOutcome, isProse, isQuestion, lifecycleOf } from '../response-timing/chunk-kinds.ts';

type Chunks = readonly UIMessageChunk[];

/** Combines several responses into one: one `start`, one `finish`. */
export function joined(responses: readonly Chunks[]): UIMessageChunk[] {
  return responses.flatMap((chunks, index) =>
    chunks.filter(({ type }) => {
      if (type === 'start') return index === 0;
      return type !== 'finish' || index === responses.length - 1;
    }),
  );
}

/** Whether a response contains a question. */
export function asks(chunks: Chunks): boolean {
  return chunks.some(isQuestion);
}

/** Whether a response is a turn's last one. */
export function isFinal(chunks: Chunks): boolean {
  return !asks(chunks);
}

/** Inserts chunks at the start of a response's first step, after the answer that it continues. */
export function begin(chunks: Chunks, ...added: UIMessageChunk[]): UIMessageChunk[] {
  const step = chunks.findIndex(({ type }) => type === 'start-step');
  const isAnswer = chunks[step + 1]?.type === 'tool-approval-response';
  return chunks.toSpliced(step + (isAnswer ? 2 : 1), 0, ...added);
}

/** Inserts chunks after a response's last part. */
export function append(chunks: Chunks, ...added: UIMessageChunk[]): UIMessageChunk[] {
  const end = chunks.findLastIndex(({ type }) => type === 'finish-step');
  return chunks.toSpliced(end, 0, ...added);
}

/** Inserts extra text at the start of a response. */
export function say(chunks: Chunks, words: string): UIMessageChunk[] {
  return begin(chunks, ...text(words, 'text-too-early'));
}

/** Reorders the outcomes of a response with `sort`. Everything else stays in place. */
export function reorderOutcomes(
  chunks: Chunks,
  sort: (outcomes: UIMessageChunk[]) => UIMessageChunk[],
): UIMessageChunk[] {
  const outcomes = sort(chunks.filter(isOutcome));
  return chunks.map((chunk) => (isOutcome(chunk) ? (outcomes.shift() ?? chunk) : chunk));
}

/** Moves the outcomes of a response before its text. */
export function outcomesFirst(chunks: Chunks): UIMessageChunk[] {
  const outcomes = chunks.filter(isOutcome);
  return begin(
    chunks.filter((chunk) => !isOutcome(chunk)),
    ...outcomes,
  );
}

/** Removes text, reasoning and outcomes from a response. */
export function emptied(chunks: Chunks): UIMessageChunk[] {
  return chunks.filter((chunk) => !isProse(chunk) && !isOutcome(chunk));
}

/** The call that a response asks about. */
export function askedCall(chunks: Chunks): string | undefined {
  return chunks.find(isQuestion)?.toolCallId;
}

/** The ids of the calls that a response reports as requested, in order. */
export function requestedCalls(chunks: Chunks): string[] {
  return chunks.flatMap((chunk) => {
    const change = lifecycleOf(chunk);
    return change?.phase === 'requested' && typeof change.toolCallId === 'string' ? change.toolCallId : [];
  });
}
