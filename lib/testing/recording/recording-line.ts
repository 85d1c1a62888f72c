import type { UIMessageChunk } from 'ai';
import type { SlimFields } from '../../client/slim-request.ts';
import { isRecord } from '../../protocol/index.ts';

/** A client's request: what was new in it, regardless of its form. */
export type RecordedRequest = {
  readonly type: 'request';
  /** Counts from 0, for sends and resumes together. */
  readonly request: number;
  readonly trigger: 'submit-message' | 'regenerate-message' | 'resume';
  readonly chatId: string;
} & SlimFields;

/**
 * How a response ended: complete (`end`), with nothing to resume (`none`), failed or refused with an error's text, or
 * cancelled by its reader.
 */
export type RecordedEnd =
  | { readonly type: 'end' | 'none' | 'left'; readonly request: number }
  | { readonly type: 'error' | 'refused'; readonly request: number; readonly errorText: string };

/**
 * One line of a recording, as JSON. The first line identifies the format. Then come requests, and the chunks of their
 * responses in order of arrival, each with the number of its request.
 */
export type RecordingLine =
  | { readonly type: 'recording'; readonly version: 1; readonly resumeStreamIsReplay: boolean }
  | RecordedRequest
  | { readonly type: 'chunk'; readonly request: number; readonly chunk: UIMessageChunk }
  | RecordedEnd;

/**
 * Parses one line of a recording.
 *
 * @throws Error if it is not one
 */
export function parseRecordingLine(text: string): RecordingLine {
  const value: unknown = JSON.parse(text);
  const types = ['recording', 'request', 'chunk', 'end', 'none', 'left', 'error', 'refused'];
  if (isRecord(value) && typeof value.type === 'string' && types.includes(value.type)) {
    if (value.type !== 'recording' || value.version === 1) return value as RecordingLine;
  }
  throw new Error(`Not a line of a recording: ${text.slice(0, 100)}`);
}
