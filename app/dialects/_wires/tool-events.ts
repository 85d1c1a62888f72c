import { ToolEventsClient, type ToolEventsClientState } from 'countersign/plugins/tool-events/client';
import { emptyView, type Wire, type WireView } from './wire.ts';

const path = '/api/dialects/tool-events';

/** One stream for each message. It stays open while a question waits. @source A1-A26 */
export const toolEventsWire: Wire = {
  id: 'tool-events',
  title: 'Tool events',
  address: `POST ${path}`,
  connect({ onFrame, onView }) {
    const client = new ToolEventsClient({ url: window.location.origin });
    const sent = (type: string, body: object) =>
      onFrame({ direction: 'sent', type, body: JSON.stringify(body) });

    return {
      async send(message) {
        onView(emptyView);
        const { conversationId } = client.state;
        sent(`POST ${path}`, { message, conversationId });
        for await (const frame of client.send(message)) {
          onFrame({ direction: 'received', type: frame.type, body: JSON.stringify(frame) });
          onView(viewOf(client.state));
        }
      },
      async answer(approvalId, approved) {
        sent(`POST /api/approvals/${encodeURIComponent(approvalId)}`, { approved });
        await client.answer({ approvalId, approved });
      },
      close: () => client.close(),
    };
  },
};

/** What the client knows. */
function viewOf({ content, invocations, asked, failure }: ToolEventsClientState): WireView {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: [...invocations.values()].map(({ toolCallId: id, toolName: name, status: state, ...rest }) => ({
      id,
      name,
      state,
      detail: rest.error ?? rest.summary,
    })),
    question: asked && {
      approvalId: asked.approvalId,
      name: asked.toolName,
      detail: asked.question?.description ?? JSON.stringify(asked.input),
    },
    failure,
  };
}
