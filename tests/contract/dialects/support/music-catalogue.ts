import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { z } from 'zod';

type Track = { id: string; title: string; artist: string; album: string };

/** A small local catalogue. */
export const tracks: readonly Track[] = [
  { id: 't1', title: 'Blue Train', artist: 'John Coltrane', album: 'blue-train' },
  { id: 't2', title: "Moment's Notice", artist: 'John Coltrane', album: 'blue-train' },
  { id: 't3', title: 'So What', artist: 'Miles Davis', album: 'kind-of-blue' },
  { id: 't4', title: 'Blue in Green', artist: 'Miles Davis', album: 'kind-of-blue' },
];

/** What a service says when it cannot answer. */
export class ServiceError extends Error {
  readonly statusCode: number;
  readonly isRetryable: boolean;

  constructor(message: string, statusCode: number, isRetryable = false) {
    super(message);
    this.statusCode = statusCode;
    this.isRetryable = isRetryable;
  }
}

/**
 * Tools of a music service over {@link tracks}. `faults` are thrown by `tidalSearch` one after the other, before it
 * begins to answer; `ran` counts executions.
 */
export function musicTools(faults: Error[] = []) {
  const ran: string[] = [];
  const find = (query: string) =>
    tracks.filter(({ title, artist }) => `${title} ${artist}`.toLowerCase().includes(query.toLowerCase()));
  const tools = {
    semanticSearch: tool({
      inputSchema: z.object({ query: z.string().min(1) }),
      execute: async ({ query }): Promise<Track[]> => {
        ran.push('semanticSearch');
        return find(query);
      },
    }),
    tidalSearch: tool({
      inputSchema: z.object({ query: z.string().min(1), limit: z.number().optional() }),
      execute: async ({ query, limit = 10 }): Promise<Track[]> => {
        ran.push('tidalSearch');
        const fault = faults.shift();
        if (fault) throw fault;
        return find(query).slice(0, limit);
      },
    }),
    batchMetadata: tool({
      inputSchema: z.object({ ids: z.array(z.string()) }),
      execute: async ({ ids }) => {
        ran.push('batchMetadata');
        return { tracks: tracks.filter(({ id }) => ids.includes(id)), asked: ids.length };
      },
    }),
    albumTracks: tool({
      inputSchema: z.object({ albumId: z.string() }),
      execute: async ({ albumId }): Promise<Track[]> => {
        ran.push('albumTracks');
        return tracks.filter(({ album }) => album === albumId);
      },
    }),
  } satisfies ToolSet;
  return { tools, ran };
}

/** The tools' types, as a client names them. */
export type MusicTools = ReturnType<typeof musicTools>['tools'];

const plural = (count: number) => `${count} ${count === 1 ? 'track' : 'tracks'}`;

/** How the tools' results are told to people. */
export const musicDetails: NonNullable<FlowSettings['toolDetails']> = {
  semanticSearch: {
    summarize: (found: Track[], { query }: { query: string }) => ({
      summary: found.length === 0 ? `No tracks found matching '${query}'` : `Found ${plural(found.length)}`,
      resultCount: found.length,
    }),
  },
  batchMetadata: {
    summarize: (output: { tracks: Track[]; asked: number }) => ({
      summary: `Retrieved metadata for ${output.tracks.length} of ${output.asked} requested tracks`,
      resultCount: output.tracks.length,
    }),
  },
};
