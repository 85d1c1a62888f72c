import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createResponseProjection } from '../../../lib/dialects/responses/events/response-projection.ts';
import type { ResponseEvent } from '../../../lib/dialects/responses/schema/event-schema.ts';
import { type FlowEvent, parseChatId } from '../../../lib/protocol/index.ts';
import { project } from '../../../lib/views/reader/projection.ts';

/** A turn of two runs: it thinks, calls two tools, asks, goes on with the answer, and fails a search. */
const log: FlowEvent[] = readFileSync(new URL('./recorded/responses-log.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const settings = {
  chatId: parseChatId('recorded'),
  serverLabel: 'countersign',
  include: ['file_search_call.results'],
  echo: {
    model: 'recorded',
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: null,
  },
};
const runs = log.flatMap((event) => (event.type === 'run-started' ? [event.runId] : []));

function eventsOf(run: number, serverTools: 'mcp_call' | 'function_call' = 'mcp_call'): ResponseEvent[] {
  const response = createResponseProjection({
    ...settings,
    serverTools,
    begins: ({ runId }) => runId === runs[run],
  });
  return project(response, log);
}

/** As sent, but for the line that ends a stream. */
function framesOf(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

describe('the mapping of a recorded turn to responses', () => {
  it.each([0, 1])('C1-C6, C12, C18: gives the recorded frames of run %i', async (run) => {
    await expect(framesOf(eventsOf(run))).toMatchFileSnapshot(`./recorded/responses-run-${run}.sse`);
  });

  it.each([0, 1])(
    'C5, C8: numbers the events of run %i without gaps, and gives each item a place of its own',
    (run) => {
      const events = eventsOf(run);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      const added = events.flatMap((event) =>
        event.type === 'response.output_item.added' ? [event.output_index] : [],
      );
      expect(added).toEqual(added.map((_, index) => index));
    },
  );

  it('C7, C18: keeps a call that was asked about an mcp_call, however other functions are shown', () => {
    expect(framesOf(eventsOf(1, 'function_call'))).toBe(framesOf(eventsOf(1)));
  });

  it('C12: gives the same events however often a log is read', () => {
    expect(eventsOf(1)).toEqual(eventsOf(1));
  });
});
