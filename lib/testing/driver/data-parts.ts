import { isRecord } from '../../protocol/index.ts';

/** A data part, as passed to `onData`. */
export type DataPart = { readonly type: string; readonly data: unknown };

/** All draft text received, joined, without what was taken back. @source T6, S3 */
export function draftOf(parts: readonly DataPart[]): string {
  let drafts: Readonly<Record<string, unknown>>[] = [];
  for (const { type, data } of parts) {
    if (type !== 'data-draft' || !isRecord(data)) continue;
    if (data.reset === true) drafts = drafts.filter(({ textId }) => textId !== data.textId);
    drafts.push(data);
  }
  return drafts.map(({ delta }) => delta).join('');
}

/** The reported phases of one call, in order. @source T6, S2 */
export function phasesOf(parts: readonly DataPart[], toolCallId: string): string[] {
  return parts.flatMap(({ type, data }) =>
    type === 'data-tool-lifecycle' && isRecord(data) && data.toolCallId === toolCallId
      ? [String(data.phase)]
      : [],
  );
}
