import { tool } from 'ai';
import { z } from 'zod';
import { readDocumentSections } from '../_data/document-sections.ts';
import { excerptOf, rankPassages } from '../_data/rank-passages.ts';
import type { ToolDetails } from './details.ts';
import { counted, shown } from './details.ts';

const mostResults = 5;

const inputSchema = z.object({ query: z.string().trim().min(1).max(400).describe('What to look for.') });

type Input = z.infer<typeof inputSchema>;

/**
 * One section that was found. `file` is relative to the searched folder. `score` is comparable within one search only.
 */
export type FileSearchResult = {
  readonly file: string;
  readonly heading: string;
  readonly excerpt: string;
  readonly score: number;
};

/** `file_search`: at most five sections of the folder's `README.md` and `docs/`; none if no word matches. */
export function fileSearchTool(docsFolder: string) {
  return tool({
    title: 'File search',
    description: "Search this project's own documentation.",
    inputSchema,
    execute: async ({ query }: Input, { abortSignal }): Promise<FileSearchResult[]> => {
      const sections = await readDocumentSections(docsFolder, abortSignal);
      return rankPassages(query, sections)
        .slice(0, mostResults)
        .map(({ passage, score }) => ({
          file: passage.file,
          heading: passage.title,
          excerpt: excerptOf(query, passage.text),
          score,
        }));
    },
  });
}

/** How `file_search` is presented. */
export const fileSearchDetails = (docsFolder: string): ToolDetails<Input, readonly FileSearchResult[]> => ({
  title: 'File search',
  kind: 'file_search',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: ({ query }) => `Searching the documentation for ${shown(query)}`,
  summarize: (results, { query }) =>
    results.length === 0
      ? { summary: `No sections found for "${shown(query)}"`, resultCount: 0 }
      : { summary: `Found ${counted(results.length, 'section')}`, resultCount: results.length },
  async preview() {
    const files = new Set((await readDocumentSections(docsFolder)).map(({ file }) => file));
    return { summary: `Reads ${counted(files.size, 'file')}`, parts: [{ type: 'list', items: [...files] }] };
  },
});
