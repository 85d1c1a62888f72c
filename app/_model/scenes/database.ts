import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

const rows = z.array(z.unknown());

/** The text after "for" or "matching" in the request, up to the next verb. */
function queryIn(request: string): { query?: string } {
  const query = /\b(?:for|matching)\s+["“']?(.+?)["”']?(?:\s+and\s+(?:then\s+)?update\b.*)?[.!?]*$/i.exec(
    request,
  )?.[1];
  return query && !/^(?:all\s+|every\s*)?(?:users?|everybody|everyone)$/i.test(query) ? { query } : {};
}

function searchSentence(outcome: Outcome): string {
  switch (outcome.state) {
    case 'completed': {
      const found = rows.safeParse(outcome.value).data?.length ?? 0;
      return `Found ${found} user${found === 1 ? '' : 's'}.`;
    }
    case 'denied':
      return `The search was not approved${bracketed(outcome.reason)}.`;
    case 'failed':
      return `The search failed (${outcome.reason}).`;
    case 'unknown':
      return `It is unknown whether the search ran${bracketed(outcome.reason)}.`;
    default:
      return outcome satisfies never;
  }
}

function updateSentence(outcome: Outcome): string {
  switch (outcome.state) {
    case 'completed':
      return 'Database updated.';
    case 'denied':
      return `The database was not updated: the update was denied${bracketed(outcome.reason)}.`;
    case 'failed':
      return `The database was not updated: ${outcome.reason}.`;
    case 'unknown':
      return `It is unknown whether the database was updated${bracketed(outcome.reason)}.`;
    default:
      return outcome satisfies never;
  }
}

/**
 * "Search and update database": two calls in sequence. Each half also works alone. After a denied search the update is
 * still requested.
 */
export const databaseScene: Scene = (turn) => {
  if (!/\bdatabase\b/i.test(turn.request)) return undefined;
  const wantsUpdate = /\bupdate\b/i.test(turn.request);
  const wantsSearch = /\b(?:search|find|look|list|query)\b/i.test(turn.request);
  if (!wantsUpdate && !wantsSearch) return undefined;

  const filter = queryIn(turn.request);
  const search = callsOf(turn, 'search_database').at(-1);
  if (wantsSearch && !search) {
    return { text: 'Let me look.', calls: [{ toolName: 'search_database', input: filter }] };
  }
  const update = callsOf(turn, 'update_database').at(-1);
  if (update) return { text: updateSentence(update.outcome) };
  const text = search && searchSentence(search.outcome);
  if (!wantsUpdate) return { text };
  return { text, calls: [{ toolName: 'update_database', input: { ...filter, status: 'reviewed' } }] };
};
