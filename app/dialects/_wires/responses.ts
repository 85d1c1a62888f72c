import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { parseTyped, post, readEvents } from './request.ts';
import { emptyResponses, reduceResponseEvent, viewOfResponses } from './responses-state.ts';
import { emptyView, type Wire } from './wire.ts';

const path = '/v1/responses';

/** OpenAI's Responses API. The next request answers. @source C1-C18 */
export const responsesWire: Wire = {
  id: 'responses',
  title: 'Responses',
  address: `POST ${path}`,
  connect(listener) {
    let reading = new AbortController();
    let state = emptyResponses;

    async function follow(input: unknown): Promise<void> {
      reading.abort();
      reading = new AbortController();
      const { responseId } = state;
      const previous = responseId !== undefined && { previous_response_id: responseId };
      const body = { model: 'demo', stream: true, input, ...previous };
      const response = await post(path, body, { ...listener, signal: reading.signal });
      await readEvents(response, listener, ({ data }) => {
        const event = parseTyped<ResponseStreamEvent>(data);
        if (!event) return;
        state = reduceResponseEvent(state, event);
        listener.onView(viewOfResponses(state));
      });
    }

    return {
      send(text) {
        state = { ...emptyResponses, responseId: state.responseId };
        listener.onView(emptyView);
        return follow(text);
      },
      answer: (approval_request_id, approve) =>
        follow([{ type: 'mcp_approval_response', approval_request_id, approve }]),
      close: () => reading.abort(),
    };
  },
};
