import { type FlowEvent, isRunEnd } from '../../../lib/protocol/index.ts';
import type { PersonName } from '../actors/people.ts';
import type { History, Written } from '../history.ts';
import type { Instance } from '../machine/instance.ts';
import type { Random } from '../machine/random.ts';
import type { World } from '../machine/world.ts';
import type { Reader } from './client.ts';
import { clientOf } from './clients/index.ts';
import type { DialectName, DialectProfile } from './profile.ts';
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

/** Clients of the dialects that follow turns from their beginning, and reconnect after a lost connection. Any client may begin a turn. */
export function createFollowers({ world, history, instances, random, dialects }: Parts) {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const followed = new Map<string, Followed | undefined>();
  let isStopped = false;

  /** Usually an instance that runs. */
  function anyInstance(): Instance {
    const alive = instances.filter(({ process }) => process.state !== 'dead');
    return random.pick(alive.length > 0 && random.chance(0.9) ? alive : instances);
  }

  async function read({ reading, reader, runId }: Stream): Promise<void> {
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
    const log = history.logs.get(chatId) ?? [];
    if (!followed.has(key)) {
      const reading = random.chance(dialects.share) ? begin(dialect, chatId, messageId) : undefined;
      const first = reading && streamOf(reading, runId);
      followed.set(key, first && { ...first, ended: read(first) });
      return;
    }
    const known = followed.get(key);
    if (!known) return;
    const { reading } = known;
    const { hasStreamOfRun, namesItsEvents } = clientOf(dialect);
    if (hasStreamOfRun) {
      if (!namesItsEvents || !continuesStream(log)) void read(streamOf(reading, runId));
    } else if (hasEndedBefore(log)) {
      // A person tries a call again, which continues a message that had ended.
      known.ended = known.ended.then(() => {
        reading.over.delete(known.runId);
        return read(known);
      });
    }
  }

  function streamOf(reading: DialectReading, runId: string): Stream {
    reading.begun.push(runId);
    const { createReader } = clientOf(reading.dialect);
    return { reading, runId, reader: createReader({ world, history, reading, runId }) };
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

    /** Ends all readers. */
    stop(): void {
      isStopped = true;
      stop();
    },
  };
}

/** A stream of the two-step dialect is about all runs up to a question: a call that the page executes does not end it. */
function continuesStream(log: readonly Written[]): boolean {
  const end = endBefore(log);
  if (end?.type !== 'run-suspended') return false;
  return log.some(
    ({ event }) =>
      event.type === 'tool-requested' && event.toolCallId === end.toolCallId && event.executor === 'client',
  );
}

function hasEndedBefore(log: readonly Written[]): boolean {
  const end = endBefore(log);
  return end !== undefined && isRunEnd(end) && end.type !== 'run-suspended';
}

/** The end of the run before the last one, in its turn. */
function endBefore(log: readonly Written[]): FlowEvent | undefined {
  return log.slice(0, -1).findLast(({ event }) => isRunEnd(event) || beginsTurn(event))?.event;
}

function beginsTurn({ type }: FlowEvent): boolean {
  return type === 'message-received' || type === 'history-cut' || type === 'message-imported';
}

/** One stream that is read. */
type Stream = { readonly reading: DialectReading; readonly reader: Reader; readonly runId: string };

/** The first stream of a turn, and when its reader has read it to the end. */
type Followed = Stream & { ended: Promise<void> };

type Started = { readonly messageId: string; readonly runId: string };
