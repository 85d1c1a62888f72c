import type { UIMessageChunk } from 'ai';
import { parseRecordingLine, type RecordedEnd, type RecordedRequest } from './recording-line.ts';

/** A request of a recording, with its response. */
export type RecordedExchange = {
  readonly request: RecordedRequest;
  readonly chunks: UIMessageChunk[];
  /** Missing if the recording ended before the response. */
  end?: RecordedEnd;
};

/** A recorded chat. */
export type Recording = {
  readonly resumeStreamIsReplay: boolean;
  readonly exchanges: readonly RecordedExchange[];
};

/**
 * Reads a recording: its text (NDJSON), or its lines. The responses to the requests of one turn can be checked
 * directly: `checkResponseTiming(recording.exchanges.map(({ chunks }) => chunks))`.
 *
 * @throws Error for an invalid line, or one that refers to an unknown request
 */
export function readRecording(source: string | Iterable<string>): Recording {
  const lines = typeof source === 'string' ? source.split('\n') : source;
  const exchanges: RecordedExchange[] = [];
  let resumeStreamIsReplay = false;
  for (const text of lines) {
    if (text.trim() === '') continue;
    const line = parseRecordingLine(text);
    if (line.type === 'recording') resumeStreamIsReplay = line.resumeStreamIsReplay;
    else if (line.type === 'request') exchanges[line.request] = { request: line, chunks: [] };
    else {
      const exchange = exchanges[line.request];
      if (!exchange)
        throw new Error(
          `A line of the recording refers to request ${line.request}, which the recording does not contain.`,
        );
      if (line.type === 'chunk') exchange.chunks.push(line.chunk);
      else exchange.end = line;
    }
  }
  return { resumeStreamIsReplay, exchanges };
}
