import type { StreamEvent } from './schema.ts';

/** One activity as a page shows it: a box that is pending until its own outcome arrives. @source B13 */
export type Activity = {
  readonly toolCallId: string;
  readonly title: string;
  readonly description: string;
  readonly status: 'pending' | 'completed' | 'failed' | 'interrupted';
  readonly message?: string;
  /** Set while this call waits for a person. */
  readonly approvalId?: string;
};

/** The part of a stream that has arrived. */
export type StreamState = {
  readonly text: string;
  readonly activities: ReadonlyMap<string, Activity>;
  /** The stream's own error. */
  readonly error?: string;
  readonly done?: 'complete' | 'error' | 'cancelled' | 'approval_required';
};

/** A stream before its first event. */
export const emptyStreamState: StreamState = { text: '', activities: new Map() };

/**
 * The state after one more event. Outcomes find their box by id; an id that is not known changes nothing.
 *
 * @param event an `error` without an id is the stream's (B6)
 * @source B6, B13, B15
 */
export function reduceStreamEvent(before: StreamState, event: StreamEvent): StreamState {
  const state = withoutOldError(before, event);
  switch (event.type) {
    case 'message_chunk':
      return { ...state, text: state.text + event.data.text };
    case 'reset':
      return { ...state, text: event.data.text };
    case 'tool_call': {
      const { tool_call_id: toolCallId, title, description } = event.data;
      const status = state.activities.get(toolCallId)?.status ?? 'pending';
      return put(state, { ...state.activities.get(toolCallId), toolCallId, title, description, status });
    }
    case 'approval_request':
      return change(state, event.data.tool_call_id, { approvalId: event.data.approval_id });
    case 'tool_response': {
      const { tool_call_id: id, message } = event.data;
      return change(state, id, { status: 'completed', message, approvalId: undefined });
    }
    case 'error': {
      const { tool_call_id: id, message } = event.data;
      if (id === null) return { ...state, error: message };
      return change(state, id, { status: 'failed', message, approvalId: undefined });
    }
    case 'done':
      return { ...state, done: event.data.reason };
    default:
      return event satisfies never;
  }
}

/** Only `done` follows the last error of a stream. Before anything else, it was that of a connection, and was resumed. */
function withoutOldError(state: StreamState, { type, data }: StreamEvent): StreamState {
  if (state.error === undefined || (type === 'done' && data.reason === 'error')) return state;
  const { error: _old, ...resumed } = state;
  return resumed;
}

/** The same turn, continued in the stream that an answer returned. @source B18 */
export function continueStream({ done: _ended, ...state }: StreamState): StreamState {
  return state;
}

/** The stream broke: pending outcomes will not arrive. @source B15 */
export function interruptStream(state: StreamState): StreamState {
  if (state.done) return state;
  const activities = new Map(
    [...state.activities].map(([id, activity]) => [
      id,
      activity.status === 'pending' ? { ...activity, status: 'interrupted' as const } : activity,
    ]),
  );
  return { ...state, activities };
}

function put(state: StreamState, activity: Activity): StreamState {
  return { ...state, activities: new Map(state.activities).set(activity.toolCallId, activity) };
}

function change(state: StreamState, id: string | undefined, facts: Partial<Activity>): StreamState {
  const activity = id === undefined ? undefined : state.activities.get(id);
  return activity ? put(state, { ...activity, ...facts }) : state;
}
