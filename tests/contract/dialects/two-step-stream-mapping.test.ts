import { describe, expect, it } from 'vitest';
import { type StreamEvent, streamEventSchemas } from '../../../lib/plugins/two-step-stream/client/schema.ts';
import { twoStepProjection } from '../../../lib/plugins/two-step-stream/projection.ts';
import type { FlowEvent } from '../../../lib/protocol/index.ts';
import { isRunEnd } from '../../../lib/protocol/index.ts';
import { project } from '../../../lib/views/reader/projection.ts';
import { goldenText, recordedTurns } from './support/recorded-turns.ts';

/** What a reader of one run is given: its turn from the start on, to the run's end. */
function streamsOf(turn: readonly FlowEvent[]): StreamEvent[][] {
  const starts = turn.filter(({ type }) => type === 'run-started');
  return starts.map((start) => {
    const end = turn.findIndex((event) => isRunEnd(event) && event.runId === start.runId);
    return project(twoStepProjection, turn.slice(0, end + 1), { emitFrom: start.seq });
  });
}

const streams = recordedTurns().flatMap(streamsOf);

describe('the two-step stream’s mapping of a recorded log', () => {
  it('produces the golden frames, stream by stream', async () => {
    await expect(goldenText(streams)).toMatchFileSnapshot('./recorded/two-step-stream.ndjson');
  });

  it('ends each stream with exactly one done [B8]', () => {
    for (const events of streams) {
      expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
      expect(events.at(-1)?.type).toBe('done');
    }
  });

  it('announces each call once in a turn, and settles it exactly once, afterwards [B12]', () => {
    const calls = new Map<string, string[]>();
    for (const { type, data } of streams.flat()) {
      if (type === 'approval_request' || !('tool_call_id' in data) || data.tool_call_id === null) continue;
      calls.set(data.tool_call_id, [...(calls.get(data.tool_call_id) ?? []), type]);
    }
    expect(calls.size).toBe(10);
    for (const types of calls.values()) {
      expect(types).toEqual(['tool_call', expect.stringMatching(/^(tool_response|error)$/)]);
    }
  });

  it('fits its schemas exactly, and shows no secret [B16]', () => {
    for (const { type, data } of streams.flat()) {
      expect(streamEventSchemas[type].strict().parse(data)).toEqual(data);
    }
    expect(JSON.stringify(streams)).not.toMatch(/4111|4222|4333/);
  });
});
