import { isRecord } from '../../protocol/index.ts';
import { isPart, type Part } from '../../protocol/parts.ts';
import { hasRole } from '../requests/full-history.ts';

/** The last message of a page, as its request says. It decides only what this page is sent again. */
export type ShownMessage = { readonly id: string; readonly parts: readonly Part[] };

/** The assistant message that a request continues, if the page says what it shows of it. @source H1, H10 */
export function shownMessage(body: unknown): ShownMessage | undefined {
  if (!isRecord(body)) return undefined;
  const ofHistory = Array.isArray(body.messages) ? body.messages.at(-1) : undefined;
  const last = hasRole(body.message, 'assistant') ? body.message : ofHistory;
  if (!isRecord(last) || last.role !== 'assistant' || typeof last.id !== 'string') return undefined;
  return { id: last.id, parts: Array.isArray(last.parts) ? last.parts.filter(isPart) : [] };
}
