import type { UIMessageChunk } from 'ai';
import { parseRecordingLine, type RecordedEnd, type RecordedRequest } from './recording-line.ts';

/** A request of a recording, with what came back. */
export type RecordedExchange = {
  readonly request: RecordedRequest;
  readonly chunks: UIMessageChunk[];
  /** Missing when the recording stopped before the response did. */
  end?: RecordedEnd;
};

/** A recorded chat. */
export type Recording = {
  readonly resumeStreamIsReplay: boolean;
  readonly exchanges: readonly RecordedExchange[];
};

/**
 * Reads a recording: its text (NDJSON), or its lines. What came back to the requests of one turn can be judged as it
 * is: `checkResponseTiming(recording.exchanges.map(({ chunks }) => chunks))`.
 *
 * @throws Error for a line that is none, or that names a request which was not made
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
        throw new Error(`A line of the recording names request ${line.request}, which was not made.`);
      if (line.type === 'chunk') exchange.chunks.push(line.chunk);
      else exchange.end = line;
    }
  }
  return { resumeStreamIsReplay, exchanges };
}
