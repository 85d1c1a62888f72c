import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { isRecord, parseJson } from '../../../protocol/index.ts';
import { CannotCheck } from '../cannot-check.ts';
import type { DialectFrame } from './checked-dialect.ts';

/**
 * The frames of a response of server-sent events, as they arrive.
 *
 * @throws CannotCheck for a refusal, and for a response of another type
 */
export async function* readStream(response: Response): AsyncGenerator<DialectFrame> {
  const type = response.headers.get('content-type') ?? 'nothing';
  if (!response.ok || !response.body || !/^text\/event-stream\b/i.test(type)) {
    const text = (await response.text().catch(() => '')).slice(0, 200);
    throw new CannotCheck(`The answer is ${response.status} with ${type}, and no event stream: ${text}`);
  }
  const arrived: DialectFrame[] = [];
  const parser = createParser({
    onEvent({ event, data, id }) {
      const value = parseJson(data);
      const named = isRecord(value) && typeof value.type === 'string' ? value.type : undefined;
      const frame = isRecord(value)
        ? { type: event ?? named ?? '', data: value }
        : { type: 'mark', data: { text: data } };
      arrived.push({ ...frame, id });
    },
  });
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text);
    yield* arrived.splice(0);
  }
}

/** What is wrong with a frame by its schema. Frames of unknown types are additions, and ignored. */
export function frameFaults(
  { type, data }: DialectFrame,
  schemas: Readonly<Record<string, z.ZodType>>,
): string[] {
  const issue = schemas[type]?.safeParse(data).error?.issues[0];
  if (!issue) return [];
  return [`${type} does not fit at ${issue.path.join('.') || 'its root'}: ${issue.message}`];
}
