import type { EventBody, FlowEvent } from '../../../lib/protocol/index.ts';
import { flowLogId, parseChatId, parseMessageId } from '../../../lib/protocol/index.ts';
import { people } from '../actors/people.ts';
import type { Instance } from '../machine/instance.ts';
import type { Random } from '../machine/random.ts';
import type { Fault } from './profile.ts';
import type { Stage } from './stage.ts';

const killedEvents: readonly EventBody['type'][] = [
  'run-started',
  'tool-started',
  'tool-completed',
  'approval-requested',
  'approval-answered',
  'step-finished',
];

/** Plays faults. Every fault ends after a while, or at the end of the schedule. */
export function createFaults(stage: Stage, random: Random) {
  const { world, history, instances, start, profile, raw } = stage;

  function anyPlace(): number {
    return random.below(instances.length);
  }

  function at(place: number): Instance {
    return instances[place] as Instance;
  }

  /** Starts the next process in the place of one that has ended, unless it has started already. */
  function startNext(place: number, version: number): void {
    world.after(random.below(1_500), () => {
      if (at(place).process.state === 'dead') start(place, version);
    });
  }

  function die(place: number, version = at(place).version): void {
    const instance = at(place);
    instance.die();
    startNext(place, version);
  }

  async function close(place: number, version: number): Promise<void> {
    const instance = at(place);
    if (instance.process.state !== 'alive') return;
    await instance.close();
    startNext(place, version);
  }

  /** Writes an approval into the database directly, and releases the run to the next instance. */
  async function forge(): Promise<void> {
    if (!profile.auditKey) return;
    for (const [chatId, log] of history.logs) {
      if (chatId === flowLogId) continue;
      const id = parseChatId(chatId);
      const head = await raw.chats.head(id);
      const asked = log.findLast(({ event }) => event.type === 'approval-requested')?.event;
      if (head?.status !== 'waiting' || asked?.type !== 'approval-requested') continue;
      if (head.open !== asked.approvalId) continue;
      const by = { id: people.ada.id, name: people.ada.name };
      // Ids of runs are unique over all chats.
      const runId = `run_forged-${chatId}-${head.seq}` as never;
      const common = { at: world.now(), runId };
      const { approvalId, toolCallId } = asked;
      const turn = log.findLast(({ event }) => event.type === 'run-started')?.event;
      if (turn?.type !== 'run-started') continue;
      // With the seal of another event, or without one.
      const copied = log.findLast(({ event }) => event.seal !== undefined)?.event.seal;
      const seal = random.chance(0.5) && copied !== undefined ? { seal: copied } : {};
      const events = [
        {
          ...common,
          seq: head.seq + 1,
          type: 'run-started',
          messageId: parseMessageId(turn.messageId),
          release: turn.release,
          by,
        },
        {
          ...common,
          seq: head.seq + 2,
          type: 'approval-answered',
          approvalId,
          toolCallId,
          approved: true,
          by,
          via: 'sse',
          ...seal,
        },
      ] as FlowEvent[];
      const question = await raw.questions.read(approvalId);
      const answer = { approved: true, by, at: world.now(), via: 'sse' };
      const result = await stage.store.append({
        chatId: id,
        after: head.seq,
        events,
        head: { ...head, seq: head.seq + 2, status: 'active', runId, open: null, updatedAt: world.now() },
        questions: question ? [{ ...question, state: 'approved', answer }] : [],
        lease: { owner: 'forger', until: 0 },
        owner: 'forger',
      });
      if (result !== 'appended') continue;
      history.forged.push({ chatId, toolCallId, approvalId, moment: history.moment() });
      return;
    }
  }

  async function pause(): Promise<void> {
    const instance = at(anyPlace());
    if (instance.process.state !== 'alive') return;
    const tool = random.chance(0.3) ? undefined : random.pick(profile.tools);
    try {
      await instance.flow.tools.pause({ principal: people.cleo, tool, reason: 'An incident.' });
    } catch {
      return;
    }
    const paused: History['paused'][number] = {
      tool,
      instance: instance.name,
      from: history.moment(),
      fromMs: world.elapsed(),
    };
    history.paused.push(paused);
    world.note(`${instance.name} has paused ${tool ?? 'everything'}`);
    await world.sleep(random.pick([300, 3_000]) + random.below(2_000));
    paused.toMs ??= world.elapsed();
    if (instance.process.state !== 'alive') return;
    paused.to ??= history.moment();
    await instance.flow.tools.unpause({ principal: people.cleo, tool }).catch(() => {});
  }

  const plays: Record<Fault, () => void> = {
    kill: () => die(anyPlace()),
    freeze: () => at(anyPlace()).freeze(random.pick([100, 1_000, 5_000]) + random.below(500)),
    close() {
      const place = anyPlace();
      void close(place, at(place).version);
    },
    'restart-changed'() {
      const place = anyPlace();
      if (random.chance(0.5)) die(place, at(place).version + 1);
      else void close(place, at(place).version + 1);
    },
    cut() {
      const away = random.chance(0.5) ? [...instances] : [at(anyPlace())];
      for (const { line } of away) line.isCut = true;
      const noted = away.map(({ name }): History['away'][number] => ({
        instance: name,
        fromMs: world.elapsed(),
      }));
      history.away.push(...noted);
      world.note(`the store is away for ${away.length}`);
      world.after(random.pick([50, 500, 3_000]) + random.below(300), () => {
        for (const { line, name } of away) {
          line.isCut = false;
          history.back.push({ instance: name, atMs: world.elapsed() });
        }
        for (const each of noted) each.toMs ??= world.elapsed();
        world.note('the store is back');
      });
    },
    'notifications-lost'() {
      const { line, name } = at(anyPlace());
      line.losesNotifications = true;
      world.note(`${name} receives no notifications`);
      world.after(500 + random.below(2_000), () => {
        line.losesNotifications = false;
      });
    },
    'append-fails'() {
      const fault = random.pick(['fails-before', 'fails-after'] as const);
      at(anyPlace()).line.next = { fault, event: random.chance(0.5) ? undefined : random.pick(killedEvents) };
    },
    'append-dies'() {
      const place = anyPlace();
      const fault = random.pick(['dies-before', 'dies-after'] as const);
      at(place).line.next = { fault, event: random.chance(0.3) ? undefined : random.pick(killedEvents) };
      const { process, version } = at(place);
      void process.died.then(() => startNext(place, version));
    },
    'append-freezes'() {
      const event = random.chance(0.7) ? 'tool-started' : random.pick(killedEvents);
      at(anyPlace()).line.next = { fault: 'freezes-after', event };
    },
    pause: () => void pause(),
    forge: () => void forge(),
  };

  return { play: (fault: Fault) => plays[fault]() };
}

type History = Stage['history'];
