import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ResponseEvent } from '../../../lib/plugins/responses/client/schema/event-schema.ts';
import { createResponseProjection } from '../../../lib/plugins/responses/events/response-projection.ts';
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
  model: 'recorded',
  given: { include: ['file_search_call.results'] },
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

describe('the Responses mapping of a recorded turn', () => {
  it.each([0, 1])(
    'produces the recorded frames of run %i [C1, C2, C3, C4, C5, C6, C12, C18]',
    async (run) => {
      await expect(framesOf(eventsOf(run))).toMatchFileSnapshot(`./recorded/responses-run-${run}.sse`);
    },
  );

  it.each([0, 1])(
    'numbers the events of run %i without gaps, and gives each item its own index [C5, C8]',
    (run) => {
      const events = eventsOf(run);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      const added = events.flatMap((event) =>
        event.type === 'response.output_item.added' ? [event.output_index] : [],
      );
      expect(added).toEqual(added.map((_, index) => index));
    },
  );

  it('keeps a call that was asked about as mcp_call, no matter how other functions are shown [C7, C18]', () => {
    expect(framesOf(eventsOf(1, 'function_call'))).toBe(framesOf(eventsOf(1)));
  });

  it('produces the same events however often a log is read [C12]', () => {
    expect(eventsOf(1)).toEqual(eventsOf(1));
  });
});
