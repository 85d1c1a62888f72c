import { z } from 'zod';
import {
  continueStream,
  emptyStreamState,
  reduceStreamEvent,
  type StreamState,
} from '../../../../../lib/plugins/two-step-stream/client/reducer.ts';
import {
  type StreamEvent,
  streamEventSchemas,
} from '../../../../../lib/plugins/two-step-stream/client/schema.ts';
import type { DialectRules } from './shown.ts';

const states = { completed: 'done', failed: 'ended', pending: 'open', interrupted: 'open' } as const;

/** What clients of the two-step stream get. */
export const twoStepStream: DialectRules = {
  schema: z.union(
    Object.entries(streamEventSchemas).map(([type, data]) => z.object({ type: z.literal(type), data })),
  ),
  /** One stream after another, as its client reads them. */
  shownBy({ frames, begun }) {
    let state: StreamState = emptyStreamState;
    for (const runId of begun) {
      state = continueStream(state);
      for (const { data } of frames.filter((frame) => frame.runId === runId)) {
        state = reduceStreamEvent(state, data as StreamEvent);
      }
    }
    const calls = [...state.activities.values()].map(
      ({ toolCallId, status }) => [toolCallId, states[status]] as const,
    );
    return { text: state.text, calls: new Map(calls) };
  },
};
