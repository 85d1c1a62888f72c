import { z } from 'zod';
import type { Scene } from '../scene.ts';
import type { Turn } from '../turn.ts';
import { oneCall } from './one-call.ts';

const pages = z.array(z.object({ title: z.string() }));
const sections = z.array(z.object({ file: z.string(), heading: z.string() }));

const webRequest = /\bsearch\s+(?:the\s+|on\s+the\s+)?(?:web|internet)\s+(?:for|about)\s+(.+)$/i;
const fileRequest =
  /\bsearch\s+(?:the\s+|my\s+|your\s+|in\s+the\s+)?(?:files?|docs?|documents?|documentation)\s+(?:for|about)\s+(.+)$/i;

function subjectOf(turn: Turn, request: RegExp): string | undefined {
  return request.exec(turn.request)?.[1]?.replace(/^["“']|["”']?[.!?]*$/g, '') || undefined;
}

function listed(query: string, noun: string, names: readonly string[]): string {
  if (names.length === 0) return `Nothing was found for "${query}".`;
  return `Found ${names.length} ${noun}${names.length === 1 ? '' : 's'} about ${query}: ${names.join('; ')}.`;
}

/** "search the web for X" */
export const webSearchScene: Scene = (turn) => {
  const query = subjectOf(turn, webRequest);
  if (!query) return undefined;
  const call = { toolName: 'web_search', input: { query } };
  return oneCall(turn, call, `"${query}"`, (value) =>
    listed(
      query,
      'page',
      (pages.safeParse(value).data ?? []).map(({ title }) => title),
    ),
  );
};

/** "search files for X" */
export const fileSearchScene: Scene = (turn) => {
  const query = subjectOf(turn, fileRequest);
  if (!query) return undefined;
  const call = { toolName: 'file_search', input: { query } };
  return oneCall(turn, call, `"${query}"`, (value) =>
    listed(
      query,
      'section',
      (sections.safeParse(value).data ?? []).map(({ file, heading }) => `${heading} (${file})`),
    ),
  );
};
