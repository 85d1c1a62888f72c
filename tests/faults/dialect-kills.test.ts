import { describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';
import { createMovingServer } from './support/dialect-kills/moving-server.ts';
import { firstPlaces, messageFor, places, textBefore, wholeText } from './support/dialect-kills/places.ts';
import { dialectReaders } from './support/dialect-kills/readers.ts';
import { type StoppingServer, startStoppingServer } from './support/dialect-kills/stopping-server.ts';

const count = countsOf('Dialect kills', 'servers killed', 'servers terminated', 'turns read to their end');
const names = dialectReaders.map(({ name }) => name).join(', ');

/** Longer than a lease. */
const laterMs = 20_000;

const placesOfThisRun = rowsOfThisRun(places, (place) => firstPlaces.includes(place));

describe('Every reader of a dialect ends with the stored text, once, wherever the server ends', () => {
  it(`killed, and its successor terminated, at each of ${placesOfThisRun.length} places: ${names}`, async () => {
    const [, create] = storeRows(noPostgres)[0] ?? [];
    const database = await create?.();
    if (!database) throw new Error('There is no row for SQLite.');
    const moving = createMovingServer();
    let starts = 0;
    const startAt = async (place: string) => {
      const clockAheadMs = laterMs * starts++;
      const server = await startStoppingServer({ address: database.address, place, clockAheadMs });
      moving.moveTo(server.url);
      return server;
    };
    const end = async (server: StoppingServer, signal: 'SIGKILL' | 'SIGTERM') => {
      moving.leave();
      await server.end(signal);
    };
    let server = await startAt(placesOfThisRun[0] ?? '');
    try {
      for (const [index, place] of placesOfThisRun.entries()) {
        const readings = dialectReaders.map(({ read }) => read(moving, messageFor(place)));
        const stopped = async () => {
          await server.stopped(readings.length);
          await Promise.all(readings.map(({ shows }) => shows(textBefore(place))));
        };
        // A reading that fails is noticed at once.
        const failed = Promise.all(readings.map(({ ended }) => ended)).then(() => {
          throw new Error(`A turn did not stop at ${place}.`);
        });
        failed.catch(() => {});
        await Promise.race([stopped(), failed]);
        await end(server, 'SIGKILL');
        count('servers killed');
        server = await startAt(place);
        await Promise.race([stopped(), failed]);
        await end(server, 'SIGTERM');
        count('servers terminated');
        server = await startAt(placesOfThisRun[index + 1] ?? 'none');
        for (const { ended } of readings) {
          const { chatId, text, fresh, shutdowns = 1 } = await ended;
          const stored = await storedText(server.url, chatId);
          expect({ place, stored, text, fresh, shutdowns }).toEqual({
            place,
            stored: wholeText,
            text: wholeText,
            fresh: wholeText,
            shutdowns: 1,
          });
          count('turns read to their end');
        }
      }
    } finally {
      await server.end('SIGKILL');
      await database.remove();
    }
  });
});

function noPostgres(): never {
  throw new Error('These servers use SQLite.');
}

async function storedText(url: string, chatId: string): Promise<string> {
  const { messages } = await (await fetch(`${url}/api/chat/${chatId}`)).json();
  const parts: { type: string; text?: string }[] = messages.at(-1).parts;
  return parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
}
