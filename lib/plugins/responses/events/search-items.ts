import { failureText } from '../../../dialects/failure-text.ts';
import type { Call } from '../../../log/turn/turn.ts';
import { isRecord } from '../../../protocol/index.ts';
import type { ItemOf } from '../client/schema/item-schema.ts';
import { formatItemId } from '../ids.ts';
import type { CallSettings } from './call-items.ts';
import { shownInput, shownOutput } from './call-texts.ts';

/** @param local what makes the id unique in the chat @source C2, C6 */
export function fileSearchItem(
  call: Call,
  local: number,
  settings: CallSettings,
): ItemOf<'file_search_call'> {
  const results = call.end && settings.include.includes('file_search_call.results') ? foundIn(call) : null;
  return {
    type: 'file_search_call',
    id: formatItemId('file_search_call', settings.chatId, local),
    status: searchStatus(call),
    queries: queriesOf(call),
    results:
      results?.map((found, index) => ({
        file_id: textAt(found, ['file_id', 'id', 'file', 'filename', 'path']) ?? String(index),
        filename: textAt(found, ['filename', 'file', 'path', 'title', 'name']) ?? String(index),
        score: isRecord(found) && typeof found.score === 'number' ? found.score : 0,
        text: textAt(found, ['text', 'excerpt', 'content', 'snippet']) ?? JSON.stringify(found),
        attributes: {},
      })) ?? null,
    ...searchError(call),
  };
}

/** @param local what makes the id unique in the chat @source C2, C6 */
export function webSearchItem(call: Call, local: number, settings: CallSettings): ItemOf<'web_search_call'> {
  const queries = queriesOf(call);
  const asksSources = settings.include.includes('web_search_call.action.sources');
  const sources = foundIn(call).flatMap((found) => {
    const url = textAt(found, ['url', 'link']);
    return url === undefined ? [] : [{ type: 'url' as const, url }];
  });
  return {
    type: 'web_search_call',
    id: formatItemId('web_search_call', settings.chatId, local),
    status: searchStatus(call),
    action: {
      type: 'search',
      query: queries[0] ?? '',
      queries,
      sources: asksSources && call.end ? sources : undefined,
    },
    ...searchError(call),
  };
}

function searchStatus({ end }: Call): 'in_progress' | 'completed' | 'failed' {
  if (!end) return 'in_progress';
  return end.type === 'tool-completed' ? 'completed' : 'failed';
}

/** Why a search failed. An addition: the API has no field for it. @source C6 */
function searchError(call: Call): Pick<ItemOf<'web_search_call'>, 'error'> {
  const message = failureText(call);
  return message === undefined ? {} : { error: { message } };
}

function queriesOf(call: Call): string[] {
  const input = shownInput(call);
  if (!isRecord(input)) return [JSON.stringify(input)];
  const { query, queries } = input;
  if (Array.isArray(queries)) return queries.map(String);
  return [typeof query === 'string' ? query : JSON.stringify(input)];
}

function foundIn(call: Call): readonly unknown[] {
  const output: unknown = shownOutput(call);
  const found = isRecord(output) ? (output.results ?? output.sources) : output;
  return Array.isArray(found) ? found : [];
}

function textAt(value: unknown, keys: readonly string[]): string | undefined {
  if (!isRecord(value)) return undefined;
  const key = keys.find((candidate) => typeof value[candidate] === 'string');
  return key === undefined ? undefined : String(value[key]);
}
