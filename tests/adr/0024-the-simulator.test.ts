import type { UIMessageChunk } from 'ai';
import { expect, vi } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type FlowEvent, flowLogId } from '../../lib/protocol/index.ts';
import type { SubscriptionEvent } from '../../lib/protocol/wire/subscription-event.ts';
import { dialectNames, dialectProfileOf } from '../simulator/dialects/profile.ts';
import type { Execution, History, Written } from '../simulator/history.ts';
import { dialectInvariants } from '../simulator/invariants/dialects/index.ts';
import { settledReadings } from '../simulator/invariants/dialects/settled.ts';
import { type Invariant, idleInvariants, invariants } from '../simulator/invariants/index.ts';
import { eventsInTurns, type InTurn } from '../simulator/invariants/lists/lacking.ts';
import { delegated } from '../simulator/invariants/several/delegated.ts';
import { severalInvariants } from '../simulator/invariants/several/index.ts';
import { maySee, subjectOf, subscribersOf } from '../simulator/invariants/subscriptions/facts.ts';
import { subscriptionInvariants } from '../simulator/invariants/subscriptions/index.ts';
import { subscriptionSecrets } from '../simulator/invariants/subscriptions/secrets.ts';
import { randomOf } from '../simulator/machine/random.ts';
import { playSeed, runSeed } from '../simulator/run-seed.ts';
import { foundSeeds } from '../simulator/run-seeds.ts';
import { severalProfileOf } from '../simulator/several/profile.ts';
import { subscriptionProfileOf } from '../simulator/subscriptions/profile.ts';
import { adr } from '../support/adr.ts';
import { simulate } from '../support/simulate.ts';

// A clause plays dozens of schedules. Set before `adr`, which defines the tests.
vi.setConfig({ testTimeout: 180_000 });
const { clause } = adr('0024-the-simulator.md');

clause('0024.1', async () => {
  const first = await runSeed(11);
  const other = await runSeed(12);
  expect((await runSeed(11)).trace).toEqual(first.trace);
  expect(other.digest).not.toBe(first.digest);
  expect((await simulate('--seed', 11)).output).toContain(first.digest);
});

/** Changes a history so that it breaks a promise. Returns false if there is nothing to change. */
type Tamper = (history: History) => boolean;

const forgetEvents =
  (type: string, isTried: (history: History, ran: Execution) => boolean = () => true): Tamper =>
  (history) => {
    const { executions, logs } = history;
    const ran = executions.find((each) => each.tool === 'pay' && each.ended && isTried(history, each));
    const log = ran && logs.get(ran.chatId);
    const isIt = (event: FlowEvent) =>
      event.type === type && 'toolCallId' in event && event.toolCallId === ran?.toolCallId;
    const place = log?.findIndex(({ event }) => isIt(event)) ?? -1;
    return place !== -1 && log?.splice(place, 1).length === 1;
  };

/** A reader that received a piece of text twice. */
const repeatText =
  (asks: 'follow' | 'fresh'): Tamper =>
  (history) => {
    for (const { reading } of settledReadings(history, asks)) {
      const isText = ({ data }: { readonly data: unknown }) =>
        /^(text_delta|token|message_chunk)$/.test((data as { type: string }).type);
      const place = reading.frames.findLastIndex(isText);
      const [piece] = reading.frames.slice(place);
      if (place !== -1 && piece) return reading.frames.splice(place, 0, piece).length === 0;
    }
    return false;
  };

const tampers: Readonly<Record<string, Tamper>> = {
  'what was shown is what runs': ({ executions }) => {
    const ran = executions.find(({ tool }) => tool === 'pay');
    if (ran) Object.assign(ran, { input: { n: 1_000 } });
    return ran !== undefined;
  },
  'no call starts without a recorded approval, and each at most once': forgetEvents('approval-answered'),
  'a known outcome is never lost': forgetEvents(
    'tool-completed',
    ({ killed, closed }, { instance }) => !killed.has(instance) && !closed.has(instance),
  ),
  'a call that had its effect is not recorded as having had none': ({ executions, logs }) => {
    for (const ran of executions) {
      const log = logs.get(ran.chatId) ?? [];
      const failed = log.find(
        ({ event }) =>
          event.type === 'tool-failed' && event.toolCallId === ran.toolCallId && event.outcome === 'failed',
      );
      if (!failed) continue;
      ran.effectAt = failed.moment - 0.5;
      return true;
    }
    return false;
  },
  'no call is recorded as unknown without asking its tool': (history) => {
    history.lookups.length = 0;
    for (const ran of history.executions) {
      const log = history.logOf(ran.chatId);
      const end = log.find(
        ({ event }) =>
          'toolCallId' in event && event.toolCallId === ran.toolCallId && event.type === 'tool-failed',
      );
      if (end?.event.type !== 'tool-failed' || end.event.outcome !== 'unknown') continue;
      if (log.some(({ event }) => event.type === 'run-cancelled')) continue;
      Object.assign(ran, { tool: 'wire', instance: 'gone' });
      return true;
    }
    return false;
  },
  'an idempotency key belongs to one call, at each of its attempts': ({ executions: [ran, other] }) => {
    if (!ran || !other) return false;
    Object.assign(other, { idempotencyKey: ran.idempotencyKey });
    return true;
  },
  'a stop holds': ({ exchanges, logs, moment }) => {
    for (const [chatId, log] of logs) {
      const started = log.find(({ event }) => event.type === 'tool-started');
      const run = log.find(
        ({ event }) => event.type === 'run-started' && event.runId === started?.event.runId,
      );
      if (!started || !run) continue;
      const between = { at: 0, moment: run.moment + 0.5, answeredAt: run.moment + 0.5 };
      const stop = { who: 'ada', does: 'stop', instance: '', path: '', chatId, status: 204, ...between };
      return exchanges.push(stop) > 0 && moment() > 0;
    }
    return false;
  },
  'a pause holds': ({ executions: [ran], paused }) =>
    ran !== undefined && paused.push({ instance: ran.instance, from: ran.moment - 0.5, fromMs: ran.at }) > 0,
  'a pause holds on every instance, within a sweep': ({ executions: [ran], paused }) =>
    ran !== undefined && paused.push({ instance: '', from: ran.moment, fromMs: ran.at - 60_000 }) > 0,
  'time limits are enforced': ({ executions, logs }) => {
    const [ran] = executions.filter(({ chatId, toolCallId }) =>
      logs
        .get(chatId)
        ?.some(({ event }) => event.type === 'tool-completed' && event.toolCallId === toolCallId),
    );
    if (ran) Object.assign(ran, { tool: 'limited', input: { n: 11 } });
    return ran !== undefined;
  },
  'the model sees what the log holds': ({ prompts }) => {
    const user = prompts.at(-1)?.prompt.findLast(({ role }) => role === 'user');
    return user?.role === 'user' && user.content.push({ type: 'text', text: 'Nobody said this.' }) > 0;
  },
  'a run is prepared from the call options of its turn': ({ prompts, profile }) => {
    for (const { prompt } of profile.callOptions ? prompts : []) {
      const [first] = prompt;
      if (first?.role === 'system') Object.assign(first, { content: 'ask 0 of nobody' });
    }
    return profile.callOptions && prompts.length > 0;
  },
  'an acknowledged data part is in the chat once, and after the last answer': ({ dataParts, logs }) => {
    const [part] = dataParts.filter(({ chatId, durableAt }) => durableAt !== undefined && logs.has(chatId));
    const log = part && logs.get(part.chatId);
    const place = log?.findIndex(({ event }) => JSON.stringify(event).includes(part?.note ?? '')) ?? -1;
    return place !== -1 && log?.splice(place, 1).length === 1;
  },
  'a subagent ends once, and nothing of it runs before or after': ({ logs }) => {
    const steps = (log: readonly Written[], step: number) =>
      log.flatMap(({ event }) => (event.type === 'agent-step' && event.step === step ? [event] : []));
    for (const log of logs.values()) {
      const [second] = steps(log, 1);
      const first = steps(log, 0).find(({ toolCallId }) => toolCallId === second?.toolCallId);
      const place = log.findIndex(({ event }) => event === first);
      if (place !== -1) return log.splice(place, 1).length === 1;
    }
    return false;
  },
  'an imported call never runs, and what is asked instead only if it is approved': ({ logs }) => {
    for (const log of logs.values()) {
      const asked = log.find(
        ({ event }) => event.type === 'tool-requested' && event.replaces?.startsWith('old-'),
      );
      if (!asked) continue;
      Object.assign(asked.event, { gate: { type: 'none' } });
      return true;
    }
    return false;
  },
  'a forged approval neither runs nor verifies': ({ logs }) => {
    for (const { event } of [...logs.values()].flat()) {
      if (event.type !== 'approval-answered') continue;
      Object.assign(event, { by: { id: 'mallory', name: 'Mallory' } });
      return true;
    }
    return false;
  },
  'when in doubt, nothing runs': ({ executions, logs }) => {
    const [ran] = executions.filter(({ chatId }) => logs.has(chatId));
    if (ran) Object.assign(ran, { tool: 'boss', input: { n: 3 } });
    return ran !== undefined;
  },
  'every reader sees what the log contains': ({ finals: [first] }) =>
    first !== undefined && (first.log as unknown[]).pop() !== undefined,
  'a stored message equals a streamed one': ({ finals }) => {
    for (const { replay, chat } of finals) {
      const place = (replay ?? []).findIndex(({ type }: UIMessageChunk) => type === 'text-delta');
      const isLast = (chat?.messages as { role: string }[] | undefined)?.at(-1)?.role === 'assistant';
      if (isLast && place !== -1) return (replay as unknown[]).splice(place, 1).length === 1;
    }
    return false;
  },
  'every turn ends or waits for an answer': ({ stuck, logs }) => stuck.push([...logs.keys()][0] ?? '') > 0,
  "nothing follows a run's end": ({ logs }) => {
    for (const log of logs.values()) {
      const ended = log.findIndex(({ event }) => event.type === 'run-completed');
      const [text] = log.filter(({ event }) => event.type === 'step-finished');
      if (ended !== -1 && text) return log.splice(ended + 1, 0, text).length === 0;
    }
    return false;
  },
  'no prompt is rejected by a strict model API': ({ prompts }) => {
    const place = prompts.findIndex(({ prompt }) => prompt.some(({ role }) => role === 'tool'));
    const prompt = prompts[place]?.prompt;
    return (
      prompt?.splice(
        prompt.findIndex(({ role }) => role === 'tool'),
        1,
      ).length === 1
    );
  },
  'no stranger sees anything': ({ exchanges, owners }) => {
    const [chatId] = [...owners.keys()].filter((id) => id !== '~flow');
    const told = {
      who: 'mallory',
      does: 'spy',
      instance: '',
      path: '/api/chat',
      status: 200,
      json: { chatId },
    };
    return exchanges.push({ ...told, at: 0, moment: 1 }) > 0 && chatId !== undefined;
  },
  'the record verifies': (history) => {
    if (!history.record) return false;
    history.record = [{ message: 'Entry 1 was changed.' }];
    return true;
  },
  'a question says that its call has run before': ({ executions, readings, logs }) => {
    for (const { chatId, chunks } of readings) {
      const asked = chunks.find((chunk) => chunk.type === 'tool-approval-request' && !chunk.isAutomatic);
      const id = asked && 'toolCallId' in asked ? asked.toolCallId : undefined;
      const call = chunks.find((chunk) => chunk.type === 'tool-input-available' && chunk.toolCallId === id);
      const events = (logs.get(chatId) ?? []).map(({ event }) => event);
      const question = events.find((event) => event.type === 'approval-requested' && event.toolCallId === id);
      const ran = executions.find((each) =>
        events.some(
          (event) =>
            event.type === 'tool-completed' &&
            event.toolCallId === each.toolCallId &&
            each.chatId === chatId &&
            event.seq < (question?.seq ?? 0),
        ),
      );
      if (!ran || !asked || call?.type !== 'tool-input-available') continue;
      Object.assign(asked, { approvalDescriptor: {} });
      Object.assign(ran, { toolName: call.toolName, input: call.input });
      return true;
    }
    return false;
  },
  'a response with content does not report a missing answer': ({ readings }) => {
    const reading = readings.find(({ chunks }) => chunks.some(({ type }) => type === 'text-delta'));
    return (
      (reading?.chunks.push({ type: 'error', errorText: 'The model ended without an answer.' }) ?? 0) > 0
    );
  },
  'a dialect reader that resumes shows the stored text and outcomes, once': repeatText('follow'),
  'a new dialect reader shows what the one that followed shows': repeatText('fresh'),
  'frames of dialects are valid, and their ids grow': ({ dialectReadings }) => {
    const [frame] = dialectReadings.flatMap(({ frames }) => frames);
    if (frame) Object.assign(frame, { data: { type: 'tool_call_begun' } });
    return frame !== undefined;
  },
  'no dialect shows a secret': (history) => {
    const secret = history.profile.dialects?.secret ?? [];
    for (const { reading, facts } of settledReadings(history, 'follow')) {
      const called = [...facts.called.values()];
      const [frame] = reading.frames;
      if (
        !frame ||
        called.length === 0 ||
        !called.every(({ toolName }) => secret.some((name) => name === toolName))
      )
        continue;
      return reading.frames.push({ ...frame, data: { output: { did: 7 } } }) > 0;
    }
    return false;
  },
  'an answer that a dialect accepted is the recorded one': ({ exchanges, logs }) => {
    for (const { does, status, chatId = '', body } of exchanges) {
      const isOfLog = logs.get(chatId)?.some(({ event }) => event.type === 'approval-answered');
      if (does !== 'answer over a dialect' || status !== 200 || !isOfLog) continue;
      const [given] = (body as { answers: [{ approved: boolean }] }).answers;
      given.approved = !given.approved;
      return true;
    }
    return false;
  },
  'a subscriber receives each event, or it is dead': (history) => {
    const { undelivered, deliveries } = history;
    const lost = deliveries.find(({ subscriber, event, received }) => {
      const isKept = undelivered?.dead.some((dead) => dead.eventId === event.id);
      const isOfLog = 'question' in event.data && history.logs.has(event.data.question.chatId);
      return (
        received?.verdict === 'accepts' && isOfLog && !isKept && subscriber === 'first' && isSettled(event)
      );
    });
    if (!lost) return false;
    const copies = deliveries.filter(({ event }) => event.id === lost.event.id);
    for (const copy of copies) deliveries.splice(deliveries.indexOf(copy), 1);
    return true;
  },
  'the events of a question are delivered in order': (history) => {
    const { deliveries } = history;
    // Of an erased chat, and to a subscriber who may not see it, no order is promised.
    const [end] = subscribersOf(history).flatMap(({ subscriber, deliveries: own }) =>
      own.filter(({ event, moment }) => {
        const { chatId } = subjectOf(event);
        return isSettled(event) && maySee(history, subscriber, chatId) && !history.isGone(chatId, moment);
      }),
    );
    if (!end) return false;
    const id = subjectOf(end.event).subject;
    const openings = deliveries.flatMap(({ event, received, subscriber }) => {
      const isOpening = event.type === 'question.opened' && event.data.question.id === id;
      return isOpening && received && subscriber === end.subscriber ? [received] : [];
    });
    for (const received of openings) Object.assign(received, { moment: end.moment + 1 });
    return openings.length > 0;
  },
  'copies of an event have one id, which no other event has': ({ deliveries: [one, other] }) => {
    if (!one || !other || one.event.id === other.event.id) return false;
    Object.assign(other, { event: { ...other.event, id: one.event.id } });
    return true;
  },
  'one instance at a time delivers to a subscriber': ({ deliveries, away }) => {
    const [first] = deliveries;
    if (!first || away.length > 0) return false;
    const rival = { ...first, instance: 'a rival', moment: first.moment + 0.5 };
    return deliveries.splice(1, 0, rival).length === 0 && first.ended !== undefined;
  },
  'an accepted event is repeated only after a fault': ({
    deliveries,
    away,
    commitFaults,
    killed,
    closed,
  }) => {
    const isCalm = away.length + commitFaults.length + killed.size + closed.size === 0;
    const accepted = deliveries.find(({ ended }) => ended?.how === 'accepts');
    const last = deliveries.at(-1);
    if (!isCalm || !accepted || !last) return false;
    return deliveries.push({ ...accepted, moment: last.moment + 1_000, atMs: last.atMs + 1_000 }) > 0;
  },
  'subscribers receive what the log holds, and only what they may see': ({ deliveries }) => {
    const settled = deliveries.find(({ event }) => isSettled(event));
    if (!settled || !('question' in settled.event.data)) return false;
    const { question } = settled.event.data;
    if (!question.answer) return false;
    Object.assign(question.answer, { approved: !question.answer.approved });
    return true;
  },
  'no subscriber receives a secret': ({ deliveries, profile }) => {
    for (const { event } of deliveries) {
      if (!('question' in event.data)) continue;
      const { answer, toolName } = event.data.question;
      const isSecret = profile.subscriptions?.secret.some((name) => name === toolName);
      if (!isSecret || answer === undefined) continue;
      Object.assign(answer, { input: { n: 1, note: 'edited' } });
      return true;
    }
    return false;
  },
  'no person has two votes on a question': ({ logs, profile }) => {
    for (const { written, log } of votesIn(logs)) {
      const { event } = written;
      const asked = log.find(
        ({ event: each }) => each.type === 'tool-requested' && each.toolCallId === event.toolCallId,
      )?.event;
      if (asked?.type !== 'tool-requested' || !isVoted(profile, asked.toolName)) continue;
      return log.push(written) > 0;
    }
    return false;
  },
  'a call that needs two approvals starts after two people approved it': ({ executions, logs, profile }) => {
    for (const { chatId, toolCallId, toolName } of executions) {
      if (!isVoted(profile, toolName)) continue;
      const log = logs.get(chatId) ?? [];
      const isVote = ({ event }: Written) =>
        event.type === 'answer-recorded' && event.toolCallId === toolCallId;
      const before = log.length;
      log.splice(0, before, ...log.filter((written) => !isVote(written)));
      if (log.length < before) return true;
    }
    return false;
  },
  'people answer by a rule, or after the step that adds them': ({ logs }) => {
    for (const { written } of votesIn(logs)) {
      Object.assign(written.event, { by: { id: 'mallory', name: 'Mallory' } });
      return true;
    }
    return false;
  },
  'no time approves a question, and its steps are recorded once, in order': ({ logs }) => {
    for (const log of logs.values()) {
      const place = log.findIndex(({ event }) => event.type === 'plugin-event' && event.name === 'escalated');
      const [step] = log.slice(place);
      if (place !== -1 && step) return log.splice(place, 0, step).length === 0;
    }
    return false;
  },
  'a delegate answers while the delegation is live, and never as the asker': ({ logs }) => {
    for (const { event } of [...logs.values()].flat()) {
      const isForAnother = event.type === 'answer-recorded' || event.type === 'approval-answered';
      if (!isForAnother || !event.onBehalfOf) continue;
      for (const { event: made } of logs.get(flowLogId) ?? []) {
        if (!('data' in made)) continue;
        const { delegation } = made.data as { delegation?: object };
        Object.assign(delegation ?? {}, { until: 0 });
      }
      return true;
    }
    return false;
  },
  'nothing is approved where a plugin that has a say is missing': withoutPlugin(({ event, questions }) =>
    event.type === 'approval-answered' && event.approved ? questions.get(event.approvalId) : undefined,
  ),
  'a turn continues only where its plugins are': withoutPlugin(({ event, ofTurn }) =>
    event.type === 'step-started' || event.type === 'approval-requested' ? ofTurn : undefined,
  ),
  'a missing plugin refuses nothing but approvals': ({ exchanges, profile }) => {
    const denied = { who: 'ada', does: 'deny', instance: '', path: '/api/chat', at: 0, moment: 1 };
    const refused = { ...denied, body: { approved: false }, json: { error: { code: 'plugin-missing' } } };
    return profile.lists?.deployed !== undefined && exchanges.push(refused) > 0;
  },
};

/** Takes a plugin from the list of an instance that wrote an event for which it needs the plugin. */
function withoutPlugin(neededFor: (event: InTurn) => ReadonlySet<string> | undefined): Tamper {
  return (history) => {
    for (const each of history.profile.lists?.deployed ? eventsInTurns(history) : []) {
      // Whether a turn began with the gate of a plugin depends on the lists.
      const plugin = [...(neededFor(each) ?? [])].find((name) => name !== 'votes');
      const list = history.lists.get(each.by);
      if (plugin === undefined || list === undefined) continue;
      history.lists.set(each.by, new Set([...list].filter((name) => name !== plugin)));
      return true;
    }
    return false;
  };
}

/** The votes in the logs, each with its log. */
function votesIn(logs: History['logs']) {
  return [...logs.values()].flatMap((log) =>
    log.flatMap((written) => {
      const { event } = written;
      return event.type === 'answer-recorded' ? [{ log, written: { ...written, event } }] : [];
    }),
  );
}

function isVoted({ several }: History['profile'], toolName: string): boolean {
  return several?.voted.some((name) => name === toolName.split('/').at(-1)) ?? false;
}

function isSettled({ type }: SubscriptionEvent): boolean {
  return type === 'question.settled';
}

/** Whether a seed's schedule has clients of dialects. */
function usesDialects(seed: number): boolean {
  return dialectProfileOf(randomOf(seed, 'dialect readers'), { dataParts: false }) !== undefined;
}

/** Whether a seed's schedule has subscribers. */
function hasSubscribers(seed: number): boolean {
  return subscriptionProfileOf(randomOf(seed, 'subscribers')) !== undefined;
}

/** Whether a seed's schedule has something to check for an invariant. */
function concerns(seed: number, invariant: Invariant): boolean {
  if (dialectInvariants.includes(invariant)) return usesDialects(seed);
  if (severalInvariants.includes(invariant)) {
    const several = severalProfileOf(randomOf(seed, 'several people'), {});
    return several !== undefined && (invariant !== delegated || several.delegates);
  }
  if (invariant === subscriptionSecrets) {
    return (subscriptionProfileOf(randomOf(seed, 'subscribers'))?.secret.length ?? 0) > 0;
  }
  return !subscriptionInvariants.includes(invariant) || hasSubscribers(seed);
}

clause('0024.2', async () => {
  expect(Object.keys(tampers)).toEqual(invariants.map(({ name }) => name));
  const untried = new Set(invariants);
  for (let seed = 1; untried.size > 0; seed += 1) {
    if (![...untried].some((each) => concerns(seed, each))) continue;
    const { history } = await playSeed(seed);
    let isFresh = true;
    for (const invariant of untried) {
      const before = await invariant.check(history);
      if (isFresh) expect(before.faults).toEqual([]);
      // What was changed for one invariant may hide the fault of another, or be one. It gets another history.
      if (before.faults.length > 0 || !tampers[invariant.name]?.(history)) continue;
      const { faults } = await invariant.check(history);
      if (isFresh) expect(faults, `${invariant.name}, seed ${seed}`).not.toEqual([]);
      if (faults.length > 0) untried.delete(invariant);
      isFresh = false;
    }
  }
});

const forgetsStops = (store: FlowStore): FlowStore => ({
  ...store,
  runs: { ...store.runs, requestStop: async () => {} },
});

const losesOutcomes = (store: FlowStore): FlowStore => ({
  ...store,
  append: async (batch) =>
    batch.events.some(({ type }) => type === 'tool-completed') ? 'appended' : store.append(batch),
});

clause('0024.3', async () => {
  for (const [wrapStore, promise, from] of [
    [forgetsStops, 'a stop holds', 45],
    [losesOutcomes, 'a known outcome is never lost', 1],
  ] as const) {
    const seed = await firstBroken(promise, wrapStore, from);
    expect((await runSeed(seed)).violations).toEqual([]);
  }
});

/** @throws Error if a hundred seeds break nothing */
async function firstBroken(
  promise: string,
  wrapStore: (store: FlowStore) => FlowStore,
  from: number,
): Promise<number> {
  for (let seed = from; seed < from + 100; seed += 1) {
    const { violations } = await runSeed(seed, { wrapStore });
    if (violations.some(({ invariant }) => invariant === promise)) return seed;
  }
  throw new Error(`No seed from ${from} on broke: ${promise}`);
}

clause('0024.4', () => {
  const all = Object.fromEntries(invariants.map(({ name }) => [name, 1]));
  expect(idleInvariants(all)).toEqual([]);
  expect(idleInvariants({ ...all, 'a stop holds': 0 })).toEqual(['a stop holds']);
});

clause('0024.5', async () => {
  expect(foundSeeds.length).toBeGreaterThan(0);
  for (const { reason } of foundSeeds) expect(reason.length).toBeGreaterThan(20);
  const { output } = await simulate('--count', 0, '--base', 1);
  expect(output).toContain(`${foundSeeds.length} schedules, ${foundSeeds.length} traces, 0 broke a promise`);
});

clause('0024.6', async () => {
  const followed = new Set<string>();
  let answered = 0;
  for (let seed = 1; seed <= 300 && (followed.size < dialectNames.length || answered === 0); seed += 1) {
    if (!usesDialects(seed)) continue;
    const { history } = await playSeed(seed);
    for (const { dialect, frames } of history.dialectReadings) {
      if (new Set(frames.map(({ connection }) => connection)).size > 1) followed.add(dialect);
    }
    const given = history.exchanges.filter(
      ({ does, status }) => does.startsWith('answer over') && status === 200,
    );
    answered += given.length;
  }
  expect([...followed].sort()).toEqual([...dialectNames].sort());
  expect(answered).toBeGreaterThan(0);
});

clause('0024.7', async () => {
  const got = new Set<string>();
  let repeats = 0;
  const isEnough = () => got.has('question.settled') && got.has('turn.ended') && repeats > 0;
  for (let seed = 1; seed <= 200 && !isEnough(); seed += 1) {
    if (!hasSubscribers(seed)) continue;
    const { history } = await playSeed(seed);
    const ids = history.deliveries.map(({ subscriber, event }) => `${subscriber} ${event.id}`);
    repeats += ids.length - new Set(ids).size;
    for (const { event, received } of history.deliveries)
      if (received?.verdict === 'accepts') got.add(event.type);
  }
  expect([...got]).toEqual(expect.arrayContaining(['question.opened', 'question.settled', 'turn.ended']));
  expect(repeats).toBeGreaterThan(0);
});

clause('0024.8', async () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 400 && seen.size < 3; seed += 1) {
    if (!severalProfileOf(randomOf(seed, 'several people'), {})) continue;
    const { history } = await playSeed(seed);
    for (const { event } of [...history.logs.values()].flat()) {
      if (event.type === 'plugin-event' && event.name === 'escalated') seen.add('escalated');
      if (event.type !== 'answer-recorded' && event.type !== 'approval-answered') continue;
      if (event.type === 'answer-recorded') seen.add('voted');
      if (event.onBehalfOf) seen.add('on behalf of');
    }
  }
  expect([...seen].sort()).toEqual(['escalated', 'on behalf of', 'voted']);
});
