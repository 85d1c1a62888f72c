import type { ToolSet } from 'ai';
import type { FlowSettings } from 'countersign';
import { describe, expect, it } from 'vitest';
import { serveDialects } from './support/serve-dialects.ts';
import { toolEvents } from './support/tool-events-client.ts';

/** JavaScript, since the example runs without a build. */
type Music = { readonly tools: ToolSet; readonly toolDetails: NonNullable<FlowSettings['toolDetails']> };
const example = '../../../examples/music-assistant/music.js';

async function endOf(call: string, input: object) {
  const { tools, toolDetails }: Music = await import(example);
  const { url } = await serveDialects([[{ call, id: 'c', input }], [{ text: 'So.' }]], {
    tools,
    toolDetails,
  });
  const frames = await toolEvents(url, 'Music?');
  return frames.find(({ type }) => type === 'tool_call_end' || type === 'tool_call_error');
}

describe('the music assistant of the examples', () => {
  it.each<[string, object, string, number]>([
    ['semanticSearch', { query: 'calm sea', limit: 1 }, "Found 1 of 4 tracks matching 'calm sea'", 1],
    ['tidalSearch', { query: 'quill' }, "Found 3 tracks matching 'quill'", 3],
    ['batchMetadata', { ids: ['trk-1', 'trk-99'] }, 'Retrieved metadata for 1 of 2 requested tracks', 1],
    ['albumTracks', { albumId: 'alb-3' }, '2 tracks of alb-3', 2],
  ])(
    '%s returns its tracks, the query and how many there are [A5, A7]',
    async (call, input, summary, count) => {
      const end = await endOf(call, input);
      expect(end).toMatchObject({
        type: 'tool_call_end',
        summary,
        resultCount: count,
        output: { tracks: expect.any(Array), query: expect.any(String), totalFound: expect.any(Number) },
      });
    },
  );

  it.each<[string, object, string]>([
    ['semanticSearch', { query: 'polka' }, "No tracks found matching 'polka'"],
    ['albumTracks', { albumId: 'alb-9' }, 'No album alb-9'],
    ['batchMetadata', { ids: ['trk-99'] }, 'Retrieved metadata for 0 of 1 requested tracks'],
  ])('%s says that it found nothing, and sends no output [A6, A7]', async (call, input, summary) => {
    const end = await endOf(call, input);
    expect(end).toMatchObject({ type: 'tool_call_end', summary, resultCount: 0 });
    expect(end).not.toHaveProperty('output');
  });

  it('says what is wrong with a query in the words of the schema [A8]', async () => {
    expect(await endOf('semanticSearch', { query: ' ' })).toMatchObject({ error: 'Query cannot be empty' });
  });
});
