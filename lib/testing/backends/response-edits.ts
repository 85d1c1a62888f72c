import type { UIMessageChunk } from 'ai';
import { text } from '../chunk-builders.ts';
import { isOutcome, isProse, isQuestion, lifecycleOf } from '../response-timing/chunk-words.ts';

type Chunks = readonly UIMessageChunk[];

/** Several responses as one: under one `start`, with one `finish`. */
export function joined(responses: readonly Chunks[]): UIMessageChunk[] {
  return responses.flatMap((chunks, index) =>
    chunks.filter(({ type }) => {
      if (type === 'start') return index === 0;
      return type !== 'finish' || index === responses.length - 1;
    }),
  );
}

/** Whether a response asks something. */
export function asks(chunks: Chunks): boolean {
  return chunks.some(isQuestion);
}

/** Whether a response is a turn's last one. */
export function isFinal(chunks: Chunks): boolean {
  return !asks(chunks);
}

/** Puts chunks at the beginning of a response's first step, behind the answer that it continues. */
export function begin(chunks: Chunks, ...added: UIMessageChunk[]): UIMessageChunk[] {
  const step = chunks.findIndex(({ type }) => type === 'start-step');
  const isAnswer = chunks[step + 1]?.type === 'tool-approval-response';
  return chunks.toSpliced(step + (isAnswer ? 2 : 1), 0, ...added);
}

/** Puts chunks behind a response's last part. */
export function append(chunks: Chunks, ...added: UIMessageChunk[]): UIMessageChunk[] {
  const end = chunks.findLastIndex(({ type }) => type === 'finish-step');
  return chunks.toSpliced(end, 0, ...added);
}

/** Says a word too much, at the beginning of a response. */
export function say(chunks: Chunks, words: string): UIMessageChunk[] {
  return begin(chunks, ...text(words, 'text-too-early'));
}

/** A response with its outcomes in the order that `sort` gives them; everything else stays where it is. */
export function reorderOutcomes(
  chunks: Chunks,
  sort: (outcomes: UIMessageChunk[]) => UIMessageChunk[],
): UIMessageChunk[] {
  const outcomes = sort(chunks.filter(isOutcome));
  return chunks.map((chunk) => (isOutcome(chunk) ? (outcomes.shift() ?? chunk) : chunk));
}

/** A response with its outcomes before its text. */
export function outcomesFirst(chunks: Chunks): UIMessageChunk[] {
  const outcomes = chunks.filter(isOutcome);
  return begin(
    chunks.filter((chunk) => !isOutcome(chunk)),
    ...outcomes,
  );
}

/** A response without text, reasoning and outcomes. */
export function emptied(chunks: Chunks): UIMessageChunk[] {
  return chunks.filter((chunk) => !isProse(chunk) && !isOutcome(chunk));
}

/** The call that a response asks about. */
export function askedCall(chunks: Chunks): string | undefined {
  return chunks.find(isQuestion)?.toolCallId;
}

/** The ids of the calls that a response reports as requested by the model, in order. */
export function requestedCalls(chunks: Chunks): string[] {
  return chunks.flatMap((chunk) => {
    const change = lifecycleOf(chunk);
    return change?.phase === 'requested' && typeof change.toolCallId === 'string' ? change.toolCallId : [];
  });
}
