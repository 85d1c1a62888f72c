import { tool } from 'ai';
import { z } from 'zod';
import { named, similarTo, tracks } from './catalogue.js';

const query = z
  .string()
  .trim()
  .min(1, 'Query cannot be empty')
  .max(200, 'Query has more than 200 characters');
const limit = z.number().int().min(1).max(20).default(5);

/** Every tool returns `{ tracks, query, totalFound }`: what is shown, what was asked for, and how much there is. */
function found(all, asked, most = all.length) {
  return { tracks: all.slice(0, most), query: asked, totalFound: all.length };
}

export const tools = {
  semanticSearch: tool({
    description: 'Finds tracks by mood, place or tempo, such as "calm music by the sea".',
    inputSchema: z.object({ query, limit }),
    execute: async ({ query: asked, limit: most }) => found(similarTo(asked), asked, most),
  }),
  tidalSearch: tool({
    description: 'Finds tracks by title or artist.',
    inputSchema: z.object({ query, limit }),
    execute: async ({ query: asked, limit: most }) => found(named(asked), asked, most),
  }),
  batchMetadata: tool({
    description: 'Reads the metadata of up to 50 tracks by id.',
    inputSchema: z.object({ ids: z.array(z.string()).min(1, 'ids cannot be empty').max(50) }),
    execute: async ({ ids }) => {
      const known = tracks.filter(({ id }) => ids.includes(id));
      return found(known, ids.join(', '));
    },
  }),
  albumTracks: tool({
    description: 'Lists the tracks of an album by its id.',
    inputSchema: z.object({ albumId: z.string().min(1, 'albumId cannot be empty') }),
    execute: async ({ albumId }) =>
      found(
        tracks.filter((each) => each.albumId === albumId),
        albumId,
      ),
  }),
};

/** A count of 0 is what keeps an empty result from being sent as an output. */
const search = {
  idempotent: true,
  describeError: () => 'The search is not available now.',
  summarize: ({ tracks: shown, query: asked, totalFound }) => ({
    summary: summaryOf(shown.length, asked, totalFound),
    resultCount: shown.length,
  }),
};

export const toolDetails = {
  semanticSearch: { ...search, title: 'Search by mood' },
  tidalSearch: { ...search, title: 'Search by name' },
  batchMetadata: {
    idempotent: true,
    title: 'Track details',
    summarize: ({ tracks: shown }, { ids }) => ({
      summary: `Retrieved metadata for ${shown.length} of ${ids.length} requested tracks`,
      resultCount: shown.length,
    }),
  },
  albumTracks: {
    idempotent: true,
    title: 'Album',
    summarize: ({ tracks: shown, query: asked }) => ({
      summary: shown.length === 0 ? `No album ${asked}` : `${shown.length} tracks of ${asked}`,
      resultCount: shown.length,
    }),
  },
};

function summaryOf(shown, asked, totalFound) {
  if (totalFound === 0) return `No tracks found matching '${asked}'`;
  const of = shown < totalFound ? ` of ${totalFound}` : '';
  return `Found ${shown}${of} ${totalFound === 1 ? 'track' : 'tracks'} matching '${asked}'`;
}
