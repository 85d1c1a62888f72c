import type { FlowEvent } from '../../../lib/protocol/index.ts';
import type { PersonName } from '../actors/people.ts';
import type { History, Written } from '../history.ts';
import type { Instance } from '../machine/instance.ts';
import type { Random } from '../machine/random.ts';
import type { World } from '../machine/world.ts';
import type { DialectName, DialectProfile } from './profile.ts';
import { createReader, hasStreamOfRun, type Reader } from './readers.ts';
import type { DialectReading } from './reading.ts';

/** More attempts than any reader needs while a schedule lasts. */
const mostConnections = 150;

/** The parts of a stage that followers use. */
type Parts = {
  readonly world: World;
  readonly history: History;
  readonly instances: readonly Instance[];
  readonly random: Random;
  readonly dialects: DialectProfile;
};

/** Clients of the dialects that follow turns as they begin, whoever began them, and reconnect after a lost connection. */
export function createFollowers({ world, history, instances, random, dialects }: Parts) {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const followed = new Map<string, DialectReading | undefined>();
  let isStopped = false;

  /** Usually an instance that runs. */
  function anyInstance(): Instance {
    const alive = instances.filter(({ process }) => process.state !== 'dead');
    return random.pick(alive.length > 0 && random.chance(0.9) ? alive : instances);
  }

  async function read(reader: Reader, reading: DialectReading, runId: string): Promise<void> {
    reading.begun.push(runId);
    await world.sleep(random.pick([1, 1, 20, 300, 2_000]));
    for (let tries = 0; tries < mostConnections && !isStopped; tries += 1) {
      const outcome = await reader(anyInstance(), {
        leaveAfter: random.chance(dialects.leaves) ? 1 + random.below(8) : Number.POSITIVE_INFINITY,
        pauseMs: random.chance(dialects.slow) ? 1 + random.below(60) : 0,
        stopped,
      });
      world.note(`${reading.who} reads ${reading.chatId} over ${reading.dialect} to ${outcome}`);
      if (outcome === 'over' && !reading.left) reading.over.add(runId);
      if (outcome === 'gone') reading.left = 'erased';
      if (outcome !== 'again') return;
      await world.sleep(20 + random.below(500));
    }
  }

  function follow(dialect: DialectName, chatId: string, { messageId, runId }: Started): void {
    const key = `${dialect} ${chatId} ${messageId}`;
    const isFirst = !followed.has(key);
    if (isFirst)
      followed.set(key, random.chance(dialects.share) ? begin(dialect, chatId, messageId) : undefined);
    const reading = followed.get(key);
    if (!reading || (!isFirst && !hasStreamOfRun.has(dialect))) return;
    if (dialect === 'two-step-stream' && continuesStream(history.logs.get(chatId) ?? [])) return;
    void read(createReader[dialect]({ world, history, reading, runId }), reading, runId);
  }

  function begin(dialect: DialectName, chatId: string, messageId: string): DialectReading {
    const who = (history.owners.get(chatId) ?? 'ada') as PersonName;
    const place = { moment: history.moment(), dialect, who, chatId, messageId, asks: 'follow' as const };
    const reading: DialectReading = { ...place, frames: [], begun: [], over: new Set() };
    history.dialectReadings.push(reading);
    return reading;
  }

  return {
    /** An event became durable. */
    noticed(chatId: string, { event }: Written): void {
      if (event.type !== 'run-started' || isStopped) return;
      for (const dialect of dialects.followed) follow(dialect, chatId, event);
    },

    /** Nobody reads any more. */
    stop(): void {
      isStopped = true;
      stop();
    },
  };
}

/** A stream of the two-step dialect is about all runs up to a question: a call that the page executes does not end it. */
function continuesStream(log: readonly Written[]): boolean {
  const last = log.slice(0, -1).findLast(({ event }) => event.type === 'run-suspended' || beginsTurn(event));
  if (last?.event.type !== 'run-suspended') return false;
  const { toolCallId } = last.event;
  return log.some(
    ({ event }) =>
      event.type === 'tool-requested' && event.toolCallId === toolCallId && event.executor === 'client',
  );
}

function beginsTurn({ type }: FlowEvent): boolean {
  return type === 'message-received' || type === 'history-cut' || type === 'message-imported';
}

type Started = { readonly messageId: string; readonly runId: string };
