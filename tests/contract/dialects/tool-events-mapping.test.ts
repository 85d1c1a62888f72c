import { describe, expect, it } from 'vitest';
import { toolEventSchema } from '../../../lib/plugins/tool-events/client/schema.ts';
import { createToolEventProjection } from '../../../lib/plugins/tool-events/projection.ts';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { project } from '../../../lib/views/reader/projection.ts';
import { goldenText, recordedTurns } from './support/recorded-turns.ts';

const turns = recordedTurns().map((events) =>
  project(createToolEventProjection(parseChatId('chat')), events),
);

describe('the tool events mapping of a recorded log', () => {
  it('produces the golden frames', async () => {
    await expect(goldenText(turns)).toMatchFileSnapshot('./recorded/tool-events.ndjson');
  });

  it('starts each call once, and ends each started call exactly once, after its start [A12]', () => {
    const calls = new Map<string, string[]>();
    for (const frame of turns.flat()) {
      if (!frame.type.startsWith('tool_call') || !('toolCallId' in frame)) continue;
      calls.set(frame.toolCallId, [...(calls.get(frame.toolCallId) ?? []), frame.type]);
    }
    expect(calls.size).toBe(10);
    for (const types of calls.values()) {
      expect(types).toEqual(['tool_call_start', expect.stringMatching(/^tool_call_(end|error)$/)]);
    }
  });

  it('fits its schema, shows no secret, and produces the same frames again', () => {
    for (const frame of turns.flat()) expect(toolEventSchema.parse(frame)).toEqual(frame);
    expect(JSON.stringify(turns)).not.toMatch(/4111|4222|4333/);
    const again = recordedTurns().map((events) =>
      project(createToolEventProjection(parseChatId('chat')), events),
    );
    expect(again).toEqual(turns);
  });
});
