import { getToolName, isToolUIPart, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { createChatId } from 'countersign/react';
import { parseTyped, post, readEvents } from './request.ts';
import { emptyView, type Wire, type WireView } from './wire.ts';

const path = '/api/chat';

/** The SDK's own stream, reduced by the SDK. The next request answers. @source H1 */
export const aiSdkWire: Wire = {
  id: 'ai-sdk',
  title: 'AI SDK stream',
  address: `POST ${path}`,
  connect(listener) {
    const id = createChatId();
    let reading = new AbortController();
    let message: UIMessage | undefined;

    async function follow(news: object): Promise<void> {
      reading.abort();
      reading = new AbortController();
      const body = { id, trigger: 'submit-message', ...news };
      const response = await post(path, body, { ...listener, signal: reading.signal });
      const chunks = new TransformStream<UIMessageChunk, UIMessageChunk>();
      const writer = chunks.writable.getWriter();
      const read = readEvents(response, listener, ({ data }) => {
        const chunk = parseTyped<UIMessageChunk>(data);
        if (chunk) void writer.write(chunk);
      }).finally(() => writer.close());
      let failure: string | undefined;
      const onError = (error: unknown) => {
        failure = error instanceof Error ? error.message : String(error);
      };
      const messages = readUIMessageStream({ message, stream: chunks.readable, onError }).getReader();
      for (let next = await messages.read(); !next.done; next = await messages.read()) {
        message = next.value;
        listener.onView(viewOfMessage(message));
      }
      await read;
      if (failure !== undefined) throw new Error(failure);
    }

    return {
      send(text) {
        message = undefined;
        listener.onView(emptyView);
        const parts = [{ type: 'text', text }];
        return follow({ message: { id: createChatId(), role: 'user', parts } });
      },
      answer: (approvalId, approved) => follow({ answers: [{ approvalId, approved }] }),
      close: () => reading.abort(),
    };
  },
};

/** What the SDK's message says. */
function viewOfMessage({ parts }: UIMessage): WireView {
  const tools = parts.filter(isToolUIPart);
  const asked = tools.find(({ state }) => state === 'approval-requested');
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: tools.map((part) => ({
      id: part.toolCallId,
      name: getToolName(part),
      state: part.state,
      detail: part.errorText,
    })),
    question: asked?.approval
      ? {
          approvalId: asked.approval.id,
          name: getToolName(asked),
          detail: JSON.stringify(asked.input),
        }
      : undefined,
  };
}
