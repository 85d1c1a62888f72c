import type { UIMessageChunk } from 'ai';
import { flowLogId, parseChatId } from '../../../lib/protocol/index.ts';
import { verifyAuditStore } from '../../../lib/views/audit/index.ts';
import type { Call, Reached } from '../actors/client.ts';
import { owners, people } from '../actors/people.ts';
import { readFresh } from '../dialects/fresh.ts';
import { type Instance, times } from '../machine/instance.ts';
import { drainDeliveries } from '../subscriptions/drain.ts';
import { auditKey, type Stage } from './stage.ts';

/** The time until a closing process has closed and the next one has started in its place. */
const restartMs = 2_500;
/** Longer than a lease and the sweep that finds it expired, the pauses between retries, or a call, each over a slow store. */
const quietMs = 9_000;
/** Questions that nobody answers are asked again, each three times, until the model has no more calls. */
const longestSettleMs = 300_000;
const longestFreezeMs = 3 * times.leaseMs;

/** A stage whose instances show what they have. */
export type Shown = Pick<Stage, 'world' | 'history' | 'clients' | 'raw' | 'profile'> & {
  readonly instances: readonly (Reached & { readonly flow: Pick<Instance['flow'], 'chats'> })[];
};

/** Ends all faults, lets everything finish, and records what every instance then shows. */
export async function playFinale(stage: Stage, followers?: { stop(): void }): Promise<void> {
  const { world, history, instances, start, sessions, clients } = stage;
  world.note('finale');
  stage.receivers?.recover();
  // A frozen instance resumes by itself, after others have taken its runs.
  await world.runUntil(world.elapsed() + longestFreezeMs, () =>
    instances.every(({ process }) => process.state !== 'frozen'),
  );
  for (const { line, process } of instances) {
    Object.assign(line, { isCut: false, losesNotifications: false, repeats: 0, next: undefined });
    line.nextCommit = undefined;
    process.thaw();
    // Whoever follows a turn must learn of its end, even if that was the last notification.
    if (stage.profile.dialects) line.catchUp?.();
    history.back.push({ instance: process.name, atMs: world.elapsed() });
    for (const away of history.away) away.toMs ??= world.elapsed();
  }
  for (const who of owners) sessions.signIn(who);
  for (const signedOut of history.signedOut) signedOut.back ??= history.moment();
  await world.runUntil(world.elapsed() + restartMs);
  stage.deployAll();
  for (const [place, { name, process, version, close }] of instances.entries()) {
    if (process.state !== 'dead' && !stage.isWhole(name)) await during(stage, close());
    if (process.state === 'dead') start(place, version);
  }
  for (const paused of history.paused) {
    paused.to ??= history.moment();
    paused.toMs ??= world.elapsed();
  }
  await during(stage, Promise.all(instances.map(({ flow }) => unpauseAll(flow))));
  await settle(stage);
  history.active.push(
    ...(await statuses(stage)).filter(({ status }) => status === 'active').map(({ chatId }) => chatId),
  );
  for (const chatId of history.active) {
    const who = (history.owners.get(chatId) ?? 'ada') as 'ada';
    const [instance] = instances;
    if (instance) {
      void clients.ask({
        who,
        does: 'stop',
        instance,
        chatId,
        method: 'DELETE',
        path: `/api/chat/${chatId}/run`,
      });
    }
  }
  if (history.active.length > 0) await settle(stage);
  if (stage.receivers) await drainDeliveries(stage);
  history.stuck.push(
    ...(await statuses(stage)).filter(({ status }) => status === 'active').map(({ chatId }) => chatId),
  );
  await recordStableState(stage);
  if (stage.profile.dialects) await readFresh(stage, stage.random('fresh dialect readers'));
  followers?.stop();
  await checkRecord(stage);
  for (const each of [...clients.open]) each.leave();
  await during(stage, Promise.all(instances.map(({ flow }) => flow.close().catch(() => {}))));
}

/** Advances time until no more events are written to any chat's log. */
async function settle({ world, history, profile }: Stage): Promise<void> {
  const end = world.elapsed() + longestSettleMs;
  for (let before = -1; before !== written(history) && world.elapsed() < end; ) {
    before = written(history);
    // A question may still expire.
    await world.runUntil(world.elapsed() + quietMs + (profile.deadlineMs ?? 0));
  }
}

/** The number of events in the logs of all chats. */
function written({ logs }: Stage['history']): number {
  return [...logs].reduce((sum, [id, log]) => sum + (id === flowLogId ? 0 : log.length), 0);
}

/**
 * Records the final state of everything while no events are written. Repeats if a question expires, or is asked
 * again, in between.
 */
export async function recordStableState(stage: Shown): Promise<void> {
  const { history } = stage;
  for (let tries = 0, before = -1; tries < 5 && before !== written(history); tries += 1) {
    before = written(history);
    history.finals.length = 0;
    history.listed.length = 0;
    await recordState(stage);
  }
}

/** Advances time until a promise has settled. */
async function during<Result>({ world }: Pick<Stage, 'world'>, work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const mark = () => {
    isDone = true;
  };
  work.then(mark, mark);
  await world.runUntil(world.elapsed() + 60_000, () => isDone);
  if (!isDone) throw new Error('A promise did not settle within a minute of virtual time.');
  return work;
}

async function unpauseAll(flow: Stage['instances'][number]['flow']): Promise<void> {
  for (const { tool } of await flow.tools.pauses())
    await flow.tools.unpause({ principal: people.cleo, tool });
}

async function statuses({ raw, history }: Stage): Promise<{ chatId: string; status: string }[]> {
  const chats = [...history.logs.keys()].filter((chatId) => chatId !== flowLogId);
  const heads = await Promise.all(chats.map((chatId) => raw.chats.head(parseChatId(chatId))));
  return heads.flatMap((head) => (head ? [{ chatId: head.id, status: head.status }] : []));
}

async function recordState(stage: Shown): Promise<void> {
  const { history, instances, clients, raw } = stage;
  const chats = [...history.logs.keys()].filter((chatId) => chatId !== flowLogId);
  const lengthOf = (chatId: string) => history.logs.get(chatId)?.length ?? 0;
  for (const instance of instances) {
    for (const chatId of chats) {
      const who = (history.owners.get(chatId) ?? 'ada') as 'ada';
      const call: Omit<Call, 'path'> = { who, does: 'look', instance, chatId };
      const views = () =>
        Promise.all([
          clients.ask({ ...call, path: `/api/chat/${chatId}` }),
          instance.flow.chats.timeline({ chatId: parseChatId(chatId), principal: people[who] }),
          replay(stage, { ...call, path: `/api/chat/${chatId}/stream` }),
        ]);
      // Questions with deadlines may keep a chat changing. Then it is recorded between two changes.
      for (let tries = 0, seq = -1; tries < 5 && seq !== lengthOf(chatId); tries += 1) {
        seq = lengthOf(chatId);
        const [chat, timeline, chunks] = await during(stage, views());
        if (seq !== lengthOf(chatId)) continue;
        const log = await raw.events.read(parseChatId(chatId), 0);
        const written = (history.logs.get(chatId) ?? []).map(({ event }) => event);
        const view = { chat: chat.json as never, replay: chunks, timeline, log, written };
        history.finals.push({ chatId, instance: instance.name, ...view });
      }
    }
    for (const who of owners) {
      const listed = await during(
        stage,
        clients.ask({ who, does: 'look', instance, path: '/api/approvals?limit=100' }),
      );
      const { approvals = [] } = (listed.json ?? {}) as { approvals?: { id: string; chatId: string }[] };
      history.listed.push({ who, instance: instance.name, open: approvals.map(({ id }) => id) });
    }
  }
}

/** Verifies the record, and once more after somebody erased a sealed chat from the database. */
async function checkRecord(stage: Stage): Promise<void> {
  const { history, instances, raw, profile, world } = stage;
  const [first] = instances;
  if (!profile.auditKey || !first) return;
  const chats = [...history.logs.keys()].filter((chatId) => chatId !== flowLogId);
  const sections = await during(stage, Array.fromAsync(first.flow.audit.export()));
  history.record = verifyAuditStore(sections, { key: auditKey });
  const heads = await Promise.all(chats.map((chatId) => raw.chats.head(parseChatId(chatId))));
  // If a process died during an erasure, the record says that the chat is gone.
  const toErase = new Set(
    (history.logs.get(flowLogId) ?? []).map(({ event }) => ('chatId' in event ? event.chatId : undefined)),
  );
  const sealed = heads.find((head) => head && head.auditHead !== null && !toErase.has(head.id));
  if (!sealed) return;
  await raw.chats.erase(sealed.id, 'somebody', world.now());
  const left = await during(stage, Array.fromAsync(first.flow.audit.export()));
  history.vanished = { chatId: sealed.id, found: verifyAuditStore(left, { key: auditKey }) };
}

async function replay({ clients }: Shown, call: Call): Promise<readonly UIMessageChunk[] | undefined> {
  const opened = await clients.stream(call, 'resume');
  if (!opened) return undefined;
  await opened.ended;
  return opened.reading.chunks;
}
