import type { PersonName } from '../actors/people.ts';
import type { Reader, ReaderParts } from './client.ts';
import { type EventReading, type Outcome, readEvents } from './connections.ts';

/** What is particular to the streams of one dialect. */
export type EventDialect = {
  readonly place: (last: string | undefined) => Pick<EventReading, 'path' | 'headers'>;
  readonly placeOf: (data: unknown, id: string | undefined) => string | undefined;
  /** `not-last`: this is another message, and the dialect no longer serves the one that was followed. */
  readonly endOf: (data: unknown) => Outcome | 'not-last' | undefined;
  /** Each stream is about one run. */
  readonly isOfRun?: true;
  /** Events have a name beside their data. */
  readonly isNamed?: true;
};

/** A reader of server-sent events. */
export function eventReader(
  { world, history, reading, runId }: ReaderParts,
  { place, placeOf, endOf, isOfRun, isNamed }: EventDialect,
): Reader {
  const who = reading.who as PersonName;
  let last: string | undefined;
  let connection = 0;
  return (instance, manners) => {
    connection += 1;
    const take: EventReading['take'] = (text, { id, event }) => {
      if (text === '[DONE]' || reading.left === 'not-last') return undefined;
      const payload: unknown = JSON.parse(text);
      const data = isNamed ? { type: event, data: payload } : payload;
      const end = endOf(data);
      if (end === 'not-last') {
        reading.left = end;
        return 'over';
      }
      const frame = {
        moment: history.moment(),
        connection,
        ...(isOfRun && { runId }),
        ...(id && { id }),
        data,
      };
      reading.frames.push(frame);
      last = placeOf(data, id) ?? last;
      return end;
    };
    return readEvents(world, instance, { who, ...place(last), take }, manners);
  };
}
