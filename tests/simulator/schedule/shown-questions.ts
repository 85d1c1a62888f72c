import type { UIMessageChunk } from 'ai';
import type { History } from '../history.ts';

/** A question as shown to a client. */
export type KnownQuestion = {
  readonly chatId: string;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments that it showed. */
  readonly input: unknown;
  readonly who: string;
};

/** A call that was handed to the page. */
export type HandedOver = { readonly chatId: string; readonly toolCallId: string };

/** The questions that were shown to anybody, in a stream or in a list, oldest first. */
export function questionsShown({
  readings,
  questions,
}: Pick<History, 'readings' | 'questions'>): KnownQuestion[] {
  const streamed = readings.flatMap(({ chatId, who, chunks }) =>
    questionsIn(chunks).map((each) => ({ ...each, chatId, who })),
  );
  const listed = questions.map(({ who, question }) => ({
    who,
    chatId: String(question.chatId),
    approvalId: String(question.id),
    toolCallId: String(question.toolCallId),
    toolName: String(question.toolName),
    input: question.runsAs ?? question.input,
  }));
  return [...streamed, ...listed];
}

function questionsIn(chunks: readonly UIMessageChunk[]): Omit<KnownQuestion, 'chatId' | 'who'>[] {
  const calls = new Map<string, { toolName: string; input: unknown }>();
  return chunks.flatMap((chunk) => {
    if (chunk.type === 'tool-input-available') calls.set(chunk.toolCallId, chunk);
    if (chunk.type !== 'tool-approval-request' || chunk.isAutomatic) return [];
    const call = calls.get(chunk.toolCallId);
    // After a vote, the question is repeated without its call.
    if (!call) return [];
    const { toolName, input } = call;
    const { runsAs } = ('approvalDescriptor' in chunk ? chunk.approvalDescriptor : {}) as {
      runsAs?: unknown;
    };
    return [{ approvalId: chunk.approvalId, toolCallId: chunk.toolCallId, toolName, input: runsAs ?? input }];
  });
}

/** The calls that a response handed to its page. */
export function handedOver({ readings }: Pick<History, 'readings'>): HandedOver[] {
  return readings.flatMap(({ chatId, chunks }) =>
    chunks.flatMap((chunk) =>
      chunk.type === 'tool-input-available' && chunk.toolName === 'page' && !chunk.providerExecuted
        ? [{ chatId, toolCallId: chunk.toolCallId }]
        : [],
    ),
  );
}
