import { tool } from 'ai';
import { z } from 'zod';
import { excerptOf, rankPassages } from '../_data/rank-passages.ts';
import { webCorpus } from '../_data/web-corpus.ts';
import type { ToolDetails } from './details.ts';
import { counted, shown } from './details.ts';

const mostResults = 5;

/** One page that was found. `score` is above 0 and comparable within one search only. */
export type WebSearchResult = {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
  readonly score: number;
};

/**
 * Finds pages, best first. Pass your own to `createDemoTools` to use a real search service. A failure with a
 * `statusCode` of 429, 503 or 504 counts as transient.
 */
export type WebSearchProvider = (
  query: string,
  options: { readonly limit: number; readonly abortSignal?: AbortSignal },
) => Promise<readonly WebSearchResult[]>;

/** Searches a dozen pages that come with the app. No network. */
const searchLocalCorpus: WebSearchProvider = async (query, { limit }) =>
  rankPassages(query, webCorpus)
    .slice(0, limit)
    .map(({ passage, score }) => ({
      title: passage.title,
      url: passage.url,
      excerpt: excerptOf(query, passage.text),
      score,
    }));

const inputSchema = z.object({ query: z.string().trim().min(1).max(400).describe('What to look for.') });

type Input = z.infer<typeof inputSchema>;

/** `web_search`: at most five pages, best first; none if no word matches. */
export function webSearchTool(provider: WebSearchProvider = searchLocalCorpus) {
  return tool({
    title: 'Web search',
    description: 'Search the web.',
    inputSchema,
    execute: async ({ query }: Input, { abortSignal }) =>
      provider(query, { limit: mostResults, abortSignal }),
  });
}

/** How `web_search` is presented. */
export const webSearchDetails: ToolDetails<Input, readonly WebSearchResult[]> = {
  title: 'Web search',
  kind: 'web_search',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: ({ query }) => `Searching the web for ${shown(query)}`,
  summarize: (results, { query }) =>
    results.length === 0
      ? { summary: `No pages found for "${shown(query)}"`, resultCount: 0 }
      : { summary: `Found ${counted(results.length, 'candidate source')}`, resultCount: results.length },
};
