import type { PersonName } from '../actors/people.ts';
import type { Random } from '../machine/random.ts';
import type { Stage } from '../schedule/stage.ts';
import type { DialectClient } from './client.ts';
import { clientOf } from './clients/index.ts';
import { request } from './connections.ts';
import type { DialectReading } from './reading.ts';

type Stored = NonNullable<DialectClient['stored']>;

/** Long enough for a slow store. A turn that waits for a person is read for this time, and every other turn to its end. */
const readingMs = 6_000;
/** After this time, everything that was written has reached all readers. */
const quietMs = 3_000;

/** Reads each turn that was followed once more, from its start, as a new client would. */
export async function readFresh({ world, history, instances }: Stage, random: Random): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const followed = history.dialectReadings.filter(
    ({ left, chatId, asks }) => asks === 'follow' && !left && history.logs.has(chatId),
  );
  let open = 0;

  async function read(reading: DialectReading, runId: string): Promise<void> {
    const reader = clientOf(reading.dialect).createReader({ world, history, reading, runId });
    const manners = { leaveAfter: Number.POSITIVE_INFINITY, pauseMs: 0, stopped };
    const outcome = await reader(random.pick(instances), manners);
    if (outcome === 'over' && !reading.left) reading.over.add(runId);
  }

  /** A run as it is read back: one JSON. */
  async function retrieve(reading: DialectReading, runId: string, path: string): Promise<void> {
    const response = await request(random.pick(instances), reading.who as PersonName, path);
    if (response?.status !== 200) return;
    reading.frames.push({ moment: history.moment(), connection: 1, runId, data: await response.json() });
    reading.over.add(runId);
  }

  async function readStored(reading: DialectReading, { path, partOf }: Stored): Promise<void> {
    const { chatId, who } = reading;
    const response = await request(random.pick(instances), who as PersonName, path(chatId));
    if (response?.status !== 200) return;
    const data = partOf(await response.json(), reading);
    reading.frames.push({ moment: history.moment(), connection: 1, data });
  }

  function during(work: Promise<void>): void {
    open += 1;
    void work.finally(() => {
      open -= 1;
    });
  }

  function again({ dialect, chatId, who, messageId, begun }: DialectReading): DialectReading {
    const place = { moment: history.moment(), dialect, chatId, who, messageId, asks: 'fresh' as const };
    const reading: DialectReading = { ...place, begun: [...begun], frames: [], over: new Set() };
    history.dialectReadings.push(reading);
    return reading;
  }

  for (const before of followed) {
    const reading = again(before);
    const { pathOfRun, stored } = clientOf(before.dialect);
    for (const runId of before.begun) {
      const path = pathOfRun?.(before.chatId, runId);
      during(path === undefined ? read(reading, runId) : retrieve(reading, runId, path));
    }
    if (stored) during(readStored(again(before), stored));
  }
  if (followed.length > 0) await world.runUntil(world.elapsed() + readingMs, () => open === 0);
  if (followed.length > 0) await world.runUntil(world.elapsed() + quietMs);
  history.dialectsReadAt = world.now();
  stop();
}
