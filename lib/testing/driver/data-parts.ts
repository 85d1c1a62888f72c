import { isRecord } from '../../protocol/index.ts';

/** A data part, as passed to `onData`. */
export type DataPart = { readonly type: string; readonly data: unknown };

/** All draft text received, joined. @source T6, S3 */
export function draftOf(parts: readonly DataPart[]): string {
  return parts.map(({ type, data }) => (type === 'data-draft' && isRecord(data) ? data.delta : '')).join('');
}

/** The reported phases of one call, in order. @source T6, S2 */
export function phasesOf(parts: readonly DataPart[], toolCallId: string): string[] {
  return parts.flatMap(({ type, data }) =>
    type === 'data-tool-lifecycle' && isRecord(data) && data.toolCallId === toolCallId
      ? [String(data.phase)]
      : [],
  );
}
