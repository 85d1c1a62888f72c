import { isDeepStrictEqual } from 'node:util';
import type { UIMessageChunk } from 'ai';
import type { Execution, Reading } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** A question about a call that already ran in this chat says so (ADR 0021). */
export const repeats: Invariant = {
  name: 'a question says that its call has run before',
  check(history) {
    const { verify, result } = tally();
    for (const reading of history.readings) {
      const { chatId, who, instance } = reading;
      for (const { toolCallId, toolName, input, isMarked } of questionsOf(reading)) {
        const asked = history
          .logOf(chatId)
          .findLast(({ event }) => event.type === 'approval-requested' && event.toolCallId === toolCallId);
        if (!asked) continue;
        const before = history.executions.find(
          (each) =>
            each.chatId === chatId &&
            each.toolName === toolName &&
            each.toolCallId !== toolCallId &&
            isDeepStrictEqual(each.input, input) &&
            isRecorded(history, each, asked.moment) &&
            !history.erased.some((erasure) => erasure.chatId === chatId && erasure.moment > each.moment),
        );
        verify(
          before &&
            !isMarked &&
            `${instance} asked ${who} about ${chatId}/${toolCallId} (${toolName}) without saying that ${before.toolCallId} was the same`,
        );
      }
    }
    return result();
  },
};

/** Its result was in the log when the question was asked. */
function isRecorded(
  { logOf }: Parameters<Invariant['check']>[0],
  { chatId, toolCallId }: Execution,
  moment: number,
): boolean {
  return logOf(chatId).some(
    (each) =>
      each.event.type === 'tool-completed' && each.event.toolCallId === toolCallId && each.moment < moment,
  );
}

function questionsOf({
  chunks,
}: Reading): { toolCallId: string; toolName: string; input: unknown; isMarked: boolean }[] {
  const calls = new Map<string, Extract<UIMessageChunk, { type: 'tool-input-available' }>>();
  return chunks.flatMap((chunk) => {
    if (chunk.type === 'tool-input-available') calls.set(chunk.toolCallId, chunk);
    if (chunk.type !== 'tool-approval-request' || chunk.isAutomatic) return [];
    const call = calls.get(chunk.toolCallId);
    const { repeatOf, runsAs } = (chunk.approvalDescriptor ?? {}) as { repeatOf?: unknown; runsAs?: unknown };
    if (!call) return [];
    return [
      {
        toolCallId: chunk.toolCallId,
        toolName: call.toolName,
        input: runsAs ?? call.input,
        isMarked: repeatOf !== undefined,
      },
    ];
  });
}
