import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, interceptedStore } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { CountersignError, type FlowEvent, parseToolCallId } from '../../lib/protocol/index.ts';
import { createEngine } from '../../lib/run/engine.ts';
import { resolveOutcome } from '../../lib/run/outcomes/record-outcome.ts';
import { verifyAudit } from '../../lib/views/audit/verify-audit.ts';
import { createTranscript } from '../../lib/views/transcript.ts';
import { adr } from '../support/adr.ts';
import { checkPrompt } from '../support/check-prompt.ts';
import { ada, flowFixture, userMessage } from '../support/flow-fixture.ts';
import { lostRun } from '../support/lost-run.ts';
import { passTime, passTimeUntil } from '../support/pass-time.ts';
import { twiceInterrupted } from '../support/twice-interrupted.ts';

const { clause } = adr('0018-known-outcomes.md');
const quiet = { warn: () => {}, error: () => {} };
const key = 'a key of sixteen characters or more';
const unreachable = () =>
  new CountersignError('internal', 'The database is not reachable.', {}, { transient: true });
const resolvedIn = (log: readonly FlowEvent[]) => log.filter(({ type }) => type === 'outcome-resolved');

/** A chat whose tool reports every 2 ms and does not look at its abort signal. */
function deafChat() {
  const clock = fakeClock();
  let reports = 0;
  let ended = false;
  const deaf = tool({
    inputSchema: z.object({}),
    async *execute() {
      while (!ended) {
        reports += 1;
        yield { reports };
        await new Promise<void>((resolve) => void clock.after(2, resolve));
      }
    },
  });
  const fixture = flowFixture([[{ call: 'deaf' }], [{ text: 'Yes.' }]], {
    tools: { deaf } as ToolSet,
    clock,
    stopGraceMs: 50,
    logger: quiet,
  });
  const end = () => {
    ended = true;
  };
  return { ...fixture, ...fixture.chat(), clock, reports: () => reports, end };
}

clause('0018.1', async () => {
  const { say, stop, events, model, clock, reports, end } = deafChat();
  const first = say('Begin.');
  await expect.poll(reports).toBeGreaterThan(0);
  await passTimeUntil(clock, stop(), { stepMs: 2 });
  await first;
  const atTheEnd = reports();
  await passTime(clock, 20);
  await passTimeUntil(clock, say('Are you there?'));
  expect(reports()).toBeGreaterThan(atTheEnd);
  const prompt = model.calls.at(-1)?.prompt ?? [];
  expect(prompt.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'Are you there?' }] });
  expect(checkPrompt(prompt)).toEqual([]);
  const log = await events();
  const ends = log.findIndex(({ type }) => type === 'run-cancelled');
  expect(log.slice(ends + 1).some(({ runId }) => runId === log[ends]?.runId)).toBe(false);
  end();
});

clause('0018.2', async () => {
  const clock = fakeClock();
  const { say, events, model } = (() => {
    const fixture = flowFixture([[{ call: 'weather', input: { city: 'Rome' } }], [{ text: 'Sunny.' }]], {
      clock,
    });
    return { ...fixture, ...fixture.chat() };
  })();
  await say('Weather?');
  // The model got the result in the append that made it durable.
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Sunny in Rome');
  const log = await events();
  const after = log.findIndex(({ type }) => type === 'tool-started') + 1;
  const refused = log.slice(after, after + 1);
  const next = userMessage('next', 'And?');
  const message = { ...next, messageId: next.id, type: 'message-received', by: ada, at: 0, seq: after + 1 };

  const kept = createTranscript();
  for (const event of log.slice(0, after)) kept.apply(event);
  expect(JSON.stringify(kept.messages(refused))).toContain('Sunny in Rome');
  kept.apply(message as never);
  expect(JSON.stringify(kept.messages())).not.toContain('Sunny in Rome');
  expect(JSON.stringify(kept.messages())).toContain('And?');

  // Rejected: transcripts get staged events. The refused one took the place of the message.
  const believing = createTranscript();
  for (const event of [...log.slice(0, after), ...refused]) believing.apply(event);
  if (believing.seq === message.seq - 1) believing.apply(message as never);
  expect(JSON.stringify(believing.messages())).not.toContain('And?');
});

clause('0018.3', async () => {
  /** The events of a call whose end the store refuses three times. */
  async function played(failure: Error): Promise<readonly FlowEvent[]> {
    const clock = fakeClock();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const isRefused = CountersignError.is(failure) && !failure.transient;
    let failures = 3;
    const store = interceptedStore(
      sqliteStore({ path: ':memory:' }),
      ({ events }) => {
        if (!events.some(({ type }) => type === 'tool-completed')) return;
        failures -= 1;
        if (failures < 0) return;
        if (isRefused) end();
        throw failure;
      },
      ({ events }) => {
        if (events.some(({ type }) => type === 'run-completed')) end();
      },
    );
    const { ask, events } = flowFixture(
      [[{ call: 'weather', input: { city: 'Rome' } }], [{ text: 'Sunny.' }]],
      {
        store,
        clock,
        logger: quiet,
        sweepMs: 1_000_000,
      },
    );
    await ask({ message: userMessage('first', 'Weather?') });
    await passTimeUntil(clock, over);
    await passTime(clock, 2_000, 50);
    return events();
  }
  for (const failure of [unreachable(), new Error('connect ECONNREFUSED')]) {
    const log = await played(failure);
    expect(log.filter(({ type }) => type === 'tool-completed')).toMatchObject([{ output: 'Sunny in Rome' }]);
    expect(log.at(-1)?.type).toBe('run-completed');
  }
  // Rejected: the first error ends the run. The log contains a start and no end.
  const refusal = new CountersignError('internal', 'The disk is gone.');
  expect((await played(refusal)).at(-1)?.type).toBe('tool-started');
});

clause('0018.4', async () => {
  const lost = await lostRun({ gated: true, settings: { auditKey: key } });
  const { chat, second, heal, clock, inner } = lost;
  await passTimeUntil(clock, chat.say('Well?'));
  // Rejected: an outcome that is too late for its run is dropped. Only this would remain.
  expect(JSON.stringify(second.model.calls.at(-1)?.prompt)).toContain('outcome-unknown');
  expect(JSON.stringify((await chat.view()).messages)).toContain('outcome-unknown');

  const place = await inner.questions.lastChange();
  await heal();
  const [change] = await inner.questions.changes(place, 10);
  expect(change?.question).toMatchObject({ toolCallId: 'act-1', state: 'approved' });
  await passTimeUntil(clock, chat.say('And now?'));
  const prompt = JSON.stringify(second.model.calls.at(-1)?.prompt);
  expect(prompt).toContain('the real result');
  expect(prompt).not.toContain('outcome-unknown');
  const shown = JSON.stringify((await chat.view()).messages);
  expect(shown).toContain('the real result');
  expect(shown).not.toContain('outcome-unknown');
  const { entries, head } = await second.flow.audit.read({ chatId: chat.id, principal: ada });
  expect(entries.map(({ type }) => type)).toEqual(['asked', 'answered', 'started', 'ended', 'resolved']);
  const digest = expect.any(String);
  expect(entries.at(-1)).toMatchObject({ source: 'late', outcome: 'completed', digest });
  expect(verifyAudit(entries, { key, head })).toBeUndefined();
  // Between runs, and belonging to none.
  const log = await chat.events();
  const [resolved] = resolvedIn(log);
  expect(resolved?.runId).toBeUndefined();
  expect(log[(resolved?.seq ?? 0) - 2]?.type).toBe('run-completed');
});

clause('0018.5', async () => {
  const { chat, inner, clock, heal, second } = await lostRun();
  const engine = createEngine(
    { store: inner, model: second.model },
    { clock, logger: quiet, random: () => 'somebody' },
  );
  const report = (outcome: 'completed' | 'not-run', id: string) =>
    resolveOutcome(engine, {
      chatId: chat.id,
      toolCallId: parseToolCallId('act-1'),
      source: 'person',
      outcome,
      by: { id, name: id },
    });
  expect(await report('not-run', 'bo')).toMatchObject({ type: 'resolved' });
  expect(await report('completed', 'cy')).toMatchObject({
    type: 'standing',
    call: { resolved: { outcome: 'not-run' } },
  });
  await heal();
  expect(resolvedIn(await chat.events())).toMatchObject([
    { source: 'person', outcome: 'not-run', by: { id: 'bo' } },
    { source: 'late', outcome: 'completed' },
  ]);
  // Rejected: the last report always counts. A person's later guess would override the known outcome.
  expect(await report('not-run', 'bo')).toMatchObject({
    type: 'standing',
    call: { resolved: { source: 'late' } },
  });
  expect(JSON.stringify((await chat.view()).messages)).toContain('the real result');
});

clause('0018.6', async () => {
  const { chat, first, second, clock, heal, line } = await lostRun();
  // The process ends before its store is back.
  await passTimeUntil(clock, first.flow.close());
  line.heal();
  await heal();
  await second.flow.recover();
  const log = await chat.events();
  expect(resolvedIn(log)).toEqual([]);
  expect(log.filter(({ type }) => type === 'tool-started')).toHaveLength(1);
  await passTimeUntil(clock, chat.say('Well?'));
  expect(JSON.stringify(second.model.calls.at(-1)?.prompt)).toContain('outcome-unknown');
});

clause('0018.7', async () => {
  const { chat, ran, firstReports, secondReports } = await twiceInterrupted('failed');
  // Rejected: the last known outcome of any attempt counts. The call would have failed, though its second attempt succeeded.
  await firstReports();
  expect(resolvedIn(await chat.events())).toEqual([]);
  expect(JSON.stringify((await chat.view()).messages)).toContain('outcome-unknown');
  await secondReports();
  expect(resolvedIn(await chat.events())).toMatchObject([{ source: 'late', outcome: 'completed' }]);
  expect(JSON.stringify((await chat.view()).messages)).toContain('paid');
  expect(ran).toEqual(['first', 'second']);
});
