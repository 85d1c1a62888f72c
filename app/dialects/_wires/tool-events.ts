import {
  noToolInvocations,
  reduceToolEvent,
  type ToolEvent,
  type ToolInvocations,
} from 'countersign/dialects/client';
import { parseTyped, post, postAnswer, readEvents } from './request.ts';
import { emptyView, type Wire, type WireView } from './wire.ts';

const path = '/api/dialects/tool-events';

type State = {
  readonly view: Omit<WireView, 'calls'>;
  readonly invocations: ToolInvocations;
  readonly asked?: string;
};

const emptyState: State = { view: { text: '' }, invocations: noToolInvocations };

/** One stream for each message. It stays open while a question waits. @source A1-A26 */
export const toolEventsWire: Wire = {
  id: 'tool-events',
  title: 'Tool events',
  address: `POST ${path}`,
  connect(listener) {
    let conversationId: string | undefined;
    let reading = new AbortController();

    return {
      async send(message) {
        reading.abort();
        reading = new AbortController();
        listener.onView(emptyView);
        let state = emptyState;
        const options = { ...listener, signal: reading.signal, headers: { 'accept-approvals': '1' } };
        const response = await post(path, { message, conversationId }, options);
        await readEvents(response, listener, ({ data }) => {
          const event = parseTyped<ToolEvent>(data);
          if (!event) return;
          if (event.type === 'message_start') conversationId = event.conversationId;
          state = reduceTurn(state, event);
          listener.onView(viewOf(state));
        });
      },
      async answer(approvalId, approved) {
        await postAnswer(approvalId, approved, listener);
      },
      close: () => reading.abort(),
    };
  },
};

/** The dialect's reducer has the calls. Text and the question are the page's own. */
function reduceTurn(state: State, event: ToolEvent): State {
  const { view } = state;
  const next = { ...state, invocations: reduceToolEvent(state.invocations, event) };
  switch (event.type) {
    case 'text_delta':
      return { ...next, view: { ...view, text: view.text + event.content } };
    case 'approval_request': {
      const { approvalId, toolName: name, input, toolCallId } = event;
      const question = { approvalId, name, detail: JSON.stringify(input) };
      return { ...next, asked: toolCallId, view: { ...view, question } };
    }
    case 'tool_call_start':
      // The question was answered or withdrawn.
      return event.toolCallId === state.asked ? { ...next, view: { ...view, question: undefined } } : next;
    case 'error':
      return { ...next, view: { ...view, question: undefined, failure: event.message } };
    case 'message_end':
      return { ...next, view: { ...view, question: undefined } };
    default:
      return next;
  }
}

function viewOf({ view, invocations }: State): WireView {
  const calls = [...invocations.values()].map(
    ({ toolCallId: id, toolName: name, status: state, ...rest }) => ({
      id,
      name,
      state,
      detail: rest.error ?? rest.summary,
    }),
  );
  return { ...view, calls };
}
