import { formatResponseId } from '../../../lib/plugins/responses/ids.ts';
import type { StoredConversation } from '../../../lib/plugins/tool-events/client/schema.ts';
import { parseChatId, type RunId } from '../../../lib/protocol/index.ts';
import type { PersonName } from '../actors/people.ts';
import type { Random } from '../machine/random.ts';
import type { Stage } from '../schedule/stage.ts';
import { request } from './connections.ts';
import { createReader } from './readers.ts';
import type { DialectReading } from './reading.ts';

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
    const reader = createReader[reading.dialect]({ world, history, reading, runId });
    const manners = { leaveAfter: Number.POSITIVE_INFINITY, pauseMs: 0, stopped };
    const outcome = await reader(random.pick(instances), manners);
    if (outcome === 'over' && !reading.left) reading.over.add(runId);
  }

  /** A response as it is read back: one JSON. */
  async function retrieve(reading: DialectReading, runId: string): Promise<void> {
    const id = formatResponseId(parseChatId(reading.chatId), runId as RunId);
    const response = await request(random.pick(instances), reading.who as PersonName, `/v1/responses/${id}`);
    if (response?.status !== 200) return;
    reading.frames.push({ moment: history.moment(), connection: 1, runId, data: await response.json() });
    reading.over.add(runId);
  }

  /** A stored conversation, with this message only. After a regeneration, the conversation no longer contains it. */
  async function readStored(reading: DialectReading): Promise<void> {
    const path = `/api/dialects/tool-events?conversationId=${reading.chatId}`;
    const response = await request(random.pick(instances), reading.who as PersonName, path);
    if (response?.status !== 200) return;
    const { run, ...stored }: StoredConversation = await response.json();
    const messages = stored.messages.filter(({ id }) => id === reading.messageId);
    if (messages.length === 0) reading.left = 'not-last';
    const isLast = stored.messages.at(-1)?.id === reading.messageId;
    const data: StoredConversation = { ...stored, messages, ...(isLast && run && { run }) };
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
    for (const runId of before.begun) {
      during(before.dialect === 'responses' ? retrieve(reading, runId) : read(reading, runId));
    }
    if (before.dialect === 'tool-events') during(readStored(again(before)));
  }
  if (followed.length > 0) await world.runUntil(world.elapsed() + readingMs, () => open === 0);
  if (followed.length > 0) await world.runUntil(world.elapsed() + quietMs);
  history.dialectsReadAt = world.now();
  stop();
}
