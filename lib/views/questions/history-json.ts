import type { SubjectHistory } from '../../protocol/index.ts';
import type { HistoryJson } from '../../protocol/wire/question.ts';

/** A history, with its times as text. @source ADR 0040 */
export function historyJson({ lastAt, denied, ...history }: SubjectHistory): HistoryJson {
  return {
    ...history,
    ...(lastAt !== undefined && { lastAt: new Date(lastAt).toISOString() }),
    ...(denied && { denied: { ...denied, at: new Date(denied.at).toISOString() } }),
  };
}
