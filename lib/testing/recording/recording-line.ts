import type { UIMessageChunk } from 'ai';
import type { SlimFields } from '../../client/slim-request.ts';
import { isRecord } from '../../protocol/index.ts';

/** What a client asked for: what was new in it, whatever form it travelled in. */
export type RecordedRequest = {
  readonly type: 'request';
  /** Counts from 0, over sends and resumes alike. */
  readonly request: number;
  readonly trigger: 'submit-message' | 'regenerate-message' | 'resume';
  readonly chatId: string;
} & SlimFields;

/**
 * How a response ended: whole (`end`), with nothing to resume (`none`), broken or refused with an error's text, or
 * left by its reader.
 */
export type RecordedEnd =
  | { readonly type: 'end' | 'none' | 'left'; readonly request: number }
  | { readonly type: 'error' | 'refused'; readonly request: number; readonly errorText: string };

/**
 * One line of a recording, which is JSON. The first one says what the file is; then come requests, and the chunks of
 * their responses as they arrived, each naming its request.
 */
export type RecordingLine =
  | { readonly type: 'recording'; readonly version: 1; readonly resumeStreamIsReplay: boolean }
  | RecordedRequest
  | { readonly type: 'chunk'; readonly request: number; readonly chunk: UIMessageChunk }
  | RecordedEnd;

/**
 * Reads one line of a recording.
 *
 * @throws Error when it is none
 */
export function parseRecordingLine(text: string): RecordingLine {
  const value: unknown = JSON.parse(text);
  const types = ['recording', 'request', 'chunk', 'end', 'none', 'left', 'error', 'refused'];
  if (isRecord(value) && typeof value.type === 'string' && types.includes(value.type)) {
    if (value.type !== 'recording' || value.version === 1) return value as RecordingLine;
  }
  throw new Error(`This is no line of a recording: ${text.slice(0, 100)}`);
}
