import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { collect } from 'countersign/testing';

type ToolPart = Extract<UIMessage['parts'][number], { toolCallId: string }>;

/** A chat client's copy of one message: built by the SDK's own reader, with the user's answers added. */
export function clientMessage() {
  let message: UIMessage | undefined;

  const toolPart = (matches: (part: ToolPart) => boolean): Record<string, unknown> => {
    const part = message?.parts.find((candidate): candidate is ToolPart => {
      return 'toolCallId' in candidate && matches(candidate);
    });
    if (!part) throw new Error('The message has no such call.');
    return part;
  };

  return {
    /** Adds one response to those before it. */
    async read(chunks: readonly UIMessageChunk[]): Promise<void> {
      // The reader emits no state for a step mark. So a `start` is added after a final step mark to see it.
      const start = chunks.filter((chunk) => chunk.type === 'start');
      const stream = streamOf(structuredClone([...chunks, ...start]));
      const errors: unknown[] = [];
      const onError = (error: unknown) => errors.push(error);
      const states = await collect(readUIMessageStream({ message, stream, onError }));
      const reported = chunks.flatMap((chunk) => (chunk.type === 'error' ? [chunk.errorText] : []));
      const unexpected = errors.filter((error) => !reported.includes(String((error as Error).message)));
      if (unexpected.length > 0) throw unexpected[0];
      message = states.at(-1) ?? message;
    },

    /** Changes the message as `addToolApprovalResponse` does. */
    answer(approvalId: string, approved: boolean, reason?: string): void {
      const part = toolPart(({ approval }) => approval?.id === approvalId);
      part.state = 'approval-responded';
      part.approval = { ...(part.approval as object), approved, ...(reason === undefined ? {} : { reason }) };
    },

    /** Changes the message as `addToolOutput` does. */
    output(toolCallId: string, output: unknown): void {
      const part = toolPart((candidate) => candidate.toolCallId === toolCallId);
      part.state = 'output-available';
      part.output = output;
    },

    /** The message as sent: without the values that JSON omits. */
    get value(): UIMessage {
      if (!message) throw new Error('No message was read.');
      return plain(message);
    },
  };
}

function streamOf<Item>(items: readonly Item[]): ReadableStream<Item> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

/** A value as sent as JSON. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** The final message of a reader of one stream. */
export async function messageOf(chunks: readonly UIMessageChunk[]): Promise<UIMessage> {
  const client = clientMessage();
  await client.read(chunks);
  return client.value;
}
