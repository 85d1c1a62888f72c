import {
  emptySocketTurn,
  reduceSocketFrame,
  type SocketToolCall,
} from '../../../../lib/plugins/chat-socket/client/reducer.ts';
import type { ServerFrame } from '../../../../lib/plugins/chat-socket/client/schema.ts';
import type { ResponseEvent } from '../../../../lib/plugins/responses/client/schema/event-schema.ts';
import type { Item } from '../../../../lib/plugins/responses/client/schema/item-schema.ts';
import type { ResponseObject } from '../../../../lib/plugins/responses/client/schema/response-schema.ts';
import {
  type ToolInvocations,
  toolInvocationsOf,
} from '../../../../lib/plugins/tool-events/client/reducer.ts';
import type { StoredConversation, ToolEvent } from '../../../../lib/plugins/tool-events/client/schema.ts';
import {
  emptyToolEventsClientState,
  reduceToolEventsClient,
} from '../../../../lib/plugins/tool-events/client/state.ts';
import {
  continueStream,
  emptyStreamState,
  reduceStreamEvent,
  type StreamState,
} from '../../../../lib/plugins/two-step-stream/client/reducer.ts';
import type { StreamEvent } from '../../../../lib/plugins/two-step-stream/client/schema.ts';
import { isRecord } from '../../../../lib/protocol/index.ts';
import type { DialectReading } from '../../dialects/reading.ts';
import type { CallState, TurnFacts } from './turn-facts.ts';

/** What a client of a dialect shows of a turn. */
export type Shown = {
  readonly text: string;
  /** The state of each call. `ended` if the dialect does not distinguish a stop from a failure. */
  readonly calls: ReadonlyMap<string, CallState | 'ended' | 'open'>;
};

/** What a client shows after all frames of a reading, computed with the reducers that this library has for clients. */
export function shownBy(reading: DialectReading, facts: TurnFacts): Shown {
  switch (reading.dialect) {
    case 'tool-events':
      return toolEventsShown(reading);
    case 'two-step-stream':
      return twoStepShown(reading);
    case 'chat-socket':
      return socketShown(reading);
    case 'responses':
      return responsesShown(outputOf(reading), facts);
  }
}

const invocationStates = { completed: 'done', failed: 'ended', executing: 'open' } as const;

function toolEventsShown({ frames, messageId }: DialectReading): Shown {
  const [first] = frames;
  if (first && isRecord(first.data) && 'messages' in first.data) {
    return storedShown(first.data as StoredConversation, messageId);
  }
  const state = frames
    .map(({ data }) => data as ToolEvent)
    // The error of a connection: the client reconnects.
    .filter((event) => event.type !== 'error' || event.code !== 'INTERNAL_ERROR')
    .reduce(reduceToolEventsClient, emptyToolEventsClientState);
  const text = state.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return { text, calls: invocationsShown(state.invocations) };
}

function storedShown({ messages, run }: StoredConversation, messageId: string): Shown {
  const content = messages.find(({ id }) => id === messageId)?.content ?? [];
  const isRunning = run?.status === 'active';
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return { text, calls: invocationsShown(toolInvocationsOf(content, isRunning)) };
}

function invocationsShown(invocations: ToolInvocations): Shown['calls'] {
  const calls = [...invocations.values()].map(
    ({ toolCallId, status }) => [toolCallId, invocationStates[status]] as const,
  );
  return new Map(calls);
}

/** One stream after another, as its client reads them. */
function twoStepShown({ frames, begun }: DialectReading): Shown {
  let state: StreamState = emptyStreamState;
  for (const runId of begun) {
    state = continueStream(state);
    for (const { data } of frames.filter((frame) => frame.runId === runId)) {
      state = reduceStreamEvent(state, data as StreamEvent);
    }
  }
  const states = { completed: 'done', failed: 'ended', pending: 'open', interrupted: 'open' } as const;
  const calls = [...state.activities.values()].map(
    ({ toolCallId, status }) => [toolCallId, states[status]] as const,
  );
  return { text: state.text, calls: new Map(calls) };
}

function socketShown({ frames }: DialectReading): Shown {
  const turn = frames.map(({ data }) => data as ServerFrame).reduce(reduceSocketFrame, emptySocketTurn);
  const states: Record<SocketToolCall['status'], CallState | 'open'> = {
    completed: 'done',
    failed: 'failed',
    cancelled: 'stopped',
    running: 'open',
    asked: 'open',
  };
  const calls = [...turn.calls.values()].map(({ id, status }) => [id, states[status]] as const);
  return { text: turn.text, calls: new Map(calls) };
}

/** The output of all responses of the turn: from the last event of each, or from the response that is read back. */
function outputOf({ frames, begun }: DialectReading): readonly Item[] {
  return begun.flatMap((runId) => {
    const last = frames.findLast((frame) => frame.runId === runId)?.data as ResponseEvent | ResponseObject;
    const response = last && 'response' in last ? last.response : last;
    return response && 'output' in response ? response.output : [];
  });
}

/** Items of calls are named after the event with which they began. */
function responsesShown(output: readonly Item[], { events }: TurnFacts): Shown {
  const texts = output.flatMap((item) =>
    item.type === 'message'
      ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
      : [],
  );
  const calls = new Map<string, CallState | 'ended' | 'open'>();
  for (const item of output) {
    if (item.type !== 'mcp_call') continue;
    const began = events.find(({ seq }) => item.id.endsWith(`.${seq}`));
    const id = began && 'toolCallId' in began ? began.toolCallId : item.id;
    calls.set(id, item.status === 'completed' ? 'done' : item.status === 'failed' ? 'ended' : 'open');
  }
  return { text: texts.join(''), calls };
}
