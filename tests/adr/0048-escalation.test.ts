import type { ApprovalId, ChatId, FlowSettings, Principal } from 'countersign';
import { notTheAsker } from 'countersign';
import type { AuditEntry } from 'countersign/audit';
import { verifyAudit } from 'countersign/audit';
import type { Escalation } from 'countersign/plugins/escalation';
import { remembered } from 'countersign/plugins/remembered';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { sqliteStore } from 'countersign/store';
import { dyingStore } from 'countersign/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { subscriptionEventSchema } from '../../lib/protocol/wire/subscription-event.ts';
import { adr } from '../support/adr.ts';
import { checkLog } from '../support/check-log.ts';
import { ben, escalating, eve, max, minute, role, twoSteps } from '../support/escalation-fixture.ts';
import { ada } from '../support/flow-fixture.ts';
import { freezable } from '../support/freezable.ts';
import { passTimeToPass } from '../support/pass-time.ts';
import { recordingSubscriber } from '../support/recording-subscriber.ts';
import { waitFor } from '../support/wait-for.ts';

const { clause } = adr('0048-escalation.md');

type End = NonNullable<Escalation['end']>['then'];

const endAfter = (minutes: number, then: End): Escalation => ({
  steps: [],
  end: { afterMs: minutes * minute, then },
});

clause('0048.1', async () => {
  const step = fc.record({
    gap: fc.integer({ min: 1, max: 30 }),
    remind: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  });
  const plans = fc.record({
    steps: fc.array(step, { maxLength: 3 }),
    end: fc.option(fc.constantFrom<End>('deny', 'withdraw', 'ask-again'), { nil: undefined }),
    waits: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 }),
    allows: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps, end, waits, allows }) => {
      let afterMs = 0;
      const plan = steps.map(({ gap, remind }) => {
        afterMs += gap * minute;
        const every = remind === undefined ? {} : { remindEveryMs: remind * minute };
        return { afterMs, to: () => true, ...every };
      });
      const last = end && { end: { afterMs: afterMs + 10 * minute, then: end } };
      const isEmpty = plan.length === 0 && !end;
      // After it has asked, the gate would let the call run.
      let isAsking = true;
      const { ask, pass, ran, instance } = escalating(isEmpty ? undefined : { steps: plan, ...last }, {
        toolApproval: { pay: () => (isAsking ? 'user-approval' : 'approved') },
      });
      const other = instance().flow;
      const { log } = await ask();
      isAsking = !allows;
      for (const [index, wait] of waits.entries()) await pass(wait * minute, index % 2 ? other : undefined);
      const happened = (await log()).map(({ type }) => type);
      expect(happened).not.toContain('approval-answered');
      expect(happened).not.toContain('approval-granted');
      expect(happened).not.toContain('tool-started');
      expect(ran).toEqual([]);
      expect(checkLog(await log())).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

clause('0048.2', async () => {
  const { ask, clock, pass, flow, ran } = escalating(twoSteps);
  const { tries, story, approvalId } = await ask();
  clock.advance(15 * minute);
  expect(await tries(max)).toBe('not-found');
  expect((await flow.approvals.list({ principal: max, state: 'open' })).items).toEqual([]);
  expect(await story()).toEqual(['asked']);
  await pass(0);
  expect(await tries(eve)).toBe('not-found');
  expect(await flow.approvals.read({ principal: max, approvalId })).toMatchObject({ mayAnswer: true });
  const open = async (principal: Principal) =>
    (await flow.approvals.list({ principal, state: 'open' })).items.map(({ mayAnswer }) => mayAnswer);
  expect([await open(max), await open(ada), await open(eve)]).toEqual([[true], [true], []]);
  expect(await tries(max)).toBe('accepted');
  expect(await story()).toEqual(['asked', 'step 1', 'approved', 'started']);
  expect(ran).toHaveLength(1);

  // Rights by time: an instance whose clock is fast lets the manager answer, and the log does not show why.
  const timed = (now: () => number): Partial<FlowSettings> => ({
    mayAnswer: ({ role: own }, { requestedAt }) => own === 'manager' && now() - requestedAt >= 10 * minute,
  });
  const byTime = escalating(undefined, { mayAnswer: () => false });
  const { clock: time } = byTime;
  const fast = byTime.instance(timed(() => time.now() + 15 * minute));
  const early = await byTime.ask();
  await early.answer(max, true, early.approvalId, fast.flow);
  expect(await early.story()).toEqual(['asked', 'approved', 'started']);
});

clause('0048.3', async () => {
  const approvers = role('clerk');
  const isOver = (question: { input: unknown }) => (question.input as { amount: number }).amount > 50;
  const rows: [Partial<FlowSettings>, Principal, string][] = [
    // Without a rule, the owner could answer before.
    [{}, ada, 'accepted'],
    [{}, max, 'accepted'],
    [{}, eve, 'not-found'],
    // With a rule of the tool, those whom it allows.
    [{ toolDetails: { pay: { approvers } } }, ben, 'accepted'],
    [{ toolDetails: { pay: { approvers } } }, max, 'accepted'],
    [{ toolDetails: { pay: { approvers } } }, ada, 'forbidden'],
    // The rule of the flow limits everybody.
    [{ mayAnswer: ({ id }) => id !== 'max' }, max, 'not-found'],
    [{ mayAnswer: (_who, question) => !isOver(question) }, max, 'accepted'],
    [
      { mayAnswer: (_who, question) => isOver(question), toolDetails: { pay: { approvers } } },
      max,
      'not-found',
    ],
  ];
  for (const [settings, who, expected] of rows) {
    const { ask, pass } = escalating(twoSteps, settings);
    const { tries } = await ask();
    await pass(10 * minute);
    expect(await tries(who)).toBe(expected);
  }
  // A step composes with four eyes, and may depend on the arguments, also when they are edited.
  const adaMax: Principal = { ...ada, role: 'manager' };
  const to: Escalation['steps'][number]['to'] = (who, question) =>
    who.role === 'manager' && notTheAsker(who, question) === true;
  const { ask, pass, flow } = escalating(
    { steps: [{ afterMs: minute, to }] },
    {
      toolDetails: { pay: { approvers: () => false } },
    },
  );
  const { tries, approvalId } = await ask();
  await pass(minute);
  expect(await tries(adaMax)).toBe('forbidden');
  const edited = { approvalId, approved: true, input: { to: 'max', amount: 30 }, via: 'http' };
  await expect(flow.approvals.answer({ principal: max, ...edited })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await flow.approvals.read({ principal: max, approvalId })).toMatchObject({
    mayAnswer: true,
    mayEdit: false,
  });
  expect(await tries(max)).toBe('accepted');
});

clause('0048.4', async () => {
  const remindEveryMs = 2 * minute;
  const { ask, clock, flow, instance } = escalating({
    steps: [{ afterMs: minute, to: () => true, remindEveryMs }],
  });
  const others = [instance().flow, instance().flow, instance().flow];
  const { story, log } = await ask();
  for (let round = 0; round < 4; round += 1) {
    clock.advance(2 * minute);
    await Promise.all([flow, ...others].map((one) => one.recover()));
  }
  expect(await story()).toEqual(['asked', 'step 1', 'reminder 1', 'reminder 2', 'reminder 3']);
  expect(checkLog(await log())).toEqual([]);
});

clause('0048.5', async () => {
  const { ask, pass, clock, question } = await lateSweep();
  expect(await ask.story()).toEqual(['asked', 'step 1', 'step 2']);
  // The missed reminders of the first step are not made up for, and those of the second follow its own time.
  expect((await question())?.plugins?.escalation).toMatchObject({
    step: 2,
    nextAt: isoTime(clock.now() + 4 * minute),
  });
  await pass(11 * minute);
  expect(await ask.story()).toEqual(['asked', 'step 1', 'step 2', 'reminder 1']);
  await pass(40 * minute);
  expect(await ask.story()).toEqual(['asked', 'step 1', 'step 2', 'reminder 1', 'expired']);
});

/** A question whose two steps have been due before the first sweep takes place, 26 minutes after it was asked. */
async function lateSweep() {
  const [first, second] = twoSteps.steps;
  if (!first || !second) throw new Error('There are two steps.');
  const world = escalating({
    steps: [
      { ...first, remindEveryMs: 2 * minute },
      { ...second, remindEveryMs: 5 * minute },
    ],
    end: { afterMs: 40 * minute, then: 'deny' },
  });
  const ask = await world.ask();
  await world.pass(26 * minute);
  return { ...world, ask, question: ask.question };
}

clause('0048.6', async () => {
  const { ask, clock, pass, flow } = escalating({
    ...twoSteps,
    end: { afterMs: 30 * minute, then: 'withdraw' },
  });
  const first = await ask(1);
  clock.advance(25 * minute);
  // Both steps are due.
  expect(await first.tries(ada)).toBe('accepted');
  expect(await first.story()).toEqual(['asked', 'approved', 'started']);

  const second = await ask(2);
  clock.advance(30 * minute);
  const [answered] = await Promise.all([second.tries(ada), flow.recover()]);
  expect(answered).not.toBe('accepted');
  expect(await second.story()).toEqual(['asked', 'step 1', 'step 2', 'withdrawn']);

  const third = await ask(3);
  await pass(29 * minute);
  await Promise.all([third.answer(ada, false), flow.recover()]);
  await pass(30 * minute);
  expect(await third.story()).toEqual(['asked', 'step 1', 'step 2', 'denied']);
});

clause('0048.7', async () => {
  const rows: [End, string, string][] = [
    ['deny', 'expired', 'expired: nobody answered in time.'],
    ['withdraw', 'withdrawn', 'withdrawn: nobody answered in time. It was neither approved nor denied.'],
  ];
  for (const [then, state, told] of rows) {
    const { ask, pass, model, ran } = escalating(endAfter(5, then));
    const { story, question, chat, tries } = await ask();
    await pass(5 * minute);
    await chat.resume();
    expect(await story()).toEqual(['asked', state]);
    expect(await question()).toMatchObject({ state });
    expect(await tries(ada)).not.toBe('accepted');
    const results = model.calls.at(-1)?.prompt.filter((message) => message.role === 'tool');
    expect(results).toMatchObject([{ content: [{ output: { type: 'execution-denied', reason: told } }] }]);
    expect(ran).toEqual([]);
  }
  // Everybody who may answer can read how the question ends.
  const { ask, pass, clock } = escalating({ ...twoSteps, end: { afterMs: 30 * minute, then: 'deny' } });
  const { question } = await ask();
  const deadline = clock.now() + 30 * minute;
  await pass(10 * minute);
  expect(await question()).toMatchObject({
    deadline,
    plugins: { escalation: { end: { at: isoTime(deadline), then: 'deny' } } },
  });
});

clause('0048.8', async () => {
  const { ask, pass, flow, chat, ran } = escalating({
    steps: [{ afterMs: minute, to: role('manager') }],
    end: { afterMs: 5 * minute, then: 'ask-again' },
  });
  const { story, approvalId, question, tries } = await ask();
  const open = async () => (await flow.approvals.list({ principal: ada, state: 'open' })).items;
  for (let asked = 0; asked < 3; asked += 1) {
    const [before] = await open();
    expect(before?.plugins?.escalation).toMatchObject({ step: 0, end: { then: 'ask-again' } });
    await pass(minute);
    await pass(4 * minute);
    const [after] = await open();
    expect(after).toMatchObject({ replaces: before?.id, plugins: { escalation: { step: 0 } } });
  }
  expect(await question()).toMatchObject({ state: 'asked-again' });
  expect(await tries(ada)).toBe('question-changed');
  const [last] = await open();
  expect(last?.plugins?.escalation).toMatchObject({ end: { then: 'deny' } });
  await pass(5 * minute);
  await chat('chat-30').resume();
  expect(await open()).toEqual([]);
  const round = ['asked', 'step 1', 'asked-again'];
  expect(await story()).toEqual([...round, ...round, ...round, 'asked', 'step 1', 'expired']);
  expect(ran).toEqual([]);
  expect(approvalId).not.toBe(last?.id);
});

clause('0048.9', async () => {
  let gate: 'user-approval' | 'approved' = 'user-approval';
  const { ask, pass, flow, chat, ran } = escalating(endAfter(5, 'ask-again'), {
    toolApproval: { pay: () => gate },
    leaseMs: 1_000,
    plugins: [remembered()],
  });
  const remembering = { scope: 'me', match: 'tool' } as const;
  const { log } = await ask(1);
  const earlier = await ask(2);
  // From now on, a remembered approval covers the tool, and the gate lets it run.
  await flow.approvals.answer({
    principal: ada,
    approvalId: earlier.approvalId,
    approved: true,
    plugins: { remembered: remembering },
    via: 'http',
  });
  await waitFor(() => expect(ran).toHaveLength(1));
  gate = 'approved';
  await pass(5 * minute);
  const [again] = (await flow.approvals.list({ principal: ada, state: 'open' })).items;
  expect(again).toMatchObject({ toolName: 'pay', input: { amount: 1 } });
  expect(ran).toHaveLength(1);
  expect((await log()).map(({ type }) => type)).not.toContain('approval-granted');
  if (!again) throw new Error('It was not asked again.');
  await flow.approvals.answer({ principal: ada, approvalId: again.id, approved: true, via: 'http' });
  await chat('chat-1').resume();
  expect(ran).toHaveLength(2);

  // A question that is asked again because its tool has changed follows the gate: this is not enough when nobody has answered.
  gate = 'user-approval';
  const changing = escalating(undefined, { toolApproval: { pay: () => gate }, leaseMs: 1_000 });
  await changing.ask(3);
  gate = 'approved';
  await changing.flow.close();
  const deployed = changing.instance({ toolDetails: { pay: { version: '2' } } });
  await waitFor(async () => {
    await changing.pass(2_000, deployed.flow);
    expect(changing.ran).toHaveLength(1);
  });
});

clause('0048.10', async () => {
  const key = 'a key for the audit record';
  const { ask, pass, flow } = escalating(
    {
      steps: [{ afterMs: minute, to: role('manager'), label: 'managers', remindEveryMs: minute }],
      end: { afterMs: 9 * minute, then: 'deny' },
    },
    { auditKey: key },
  );
  const { answer, chat, approvalId } = await ask();
  await pass(minute);
  await pass(minute);
  await answer(max);
  await chat.resume();
  const { entries, head } = await flow.audit.read({ chatId: chat.id, principal: ada });
  expect(entries).toMatchObject([
    {
      type: 'asked',
      atDeadline: 'deny',
      plugins: { escalation: { steps: [{ at: expect.any(String), label: 'managers' }] } },
    },
    { type: 'plugin-event', plugin: 'escalation', name: 'escalated', approvalId },
    { type: 'plugin-event', plugin: 'escalation', name: 'reminded', approvalId },
    { type: 'answered', by: { id: 'max', role: 'manager' }, rule: 'plugin:escalation' },
    { type: 'started' },
    { type: 'ended' },
  ]);
  expect(verifyAudit(entries, { key, head })).toBeUndefined();
  const isStep = (entry: AuditEntry) => entry.type === 'plugin-event' && entry.name === 'escalated';
  const early = entries.map((entry) => (isStep(entry) ? { ...entry, at: entries[0]?.at ?? '' } : entry));
  expect(verifyAudit(early, { key, head })).toBeDefined();
  expect(
    verifyAudit(
      entries.filter((entry) => !isStep(entry)),
      { key, head },
    ),
  ).toBeDefined();
  // A step that was inserted into the database has no seal.
  const forged = escalating({ steps: [{ afterMs: minute, to: role('manager') }] }, { auditKey: key });
  const target = await forged.ask();
  await insertStep(forged.store, target);
  await target.answer(max);
  await target.chat.resume();
  expect(await target.story()).toEqual(['asked', 'step 1', 'approved']);
  expect(forged.ran).toEqual([]);
  // Whoever could answer before answers by the same right as before.
  const other = escalating({ steps: [{ afterMs: minute, to: () => true }] }, { auditKey: key });
  const asked = await other.ask();
  await other.pass(minute);
  await asked.answer(ada);
  await asked.chat.resume();
  const record = await other.flow.audit.read({ chatId: asked.chat.id, principal: ada });
  expect(record.entries).toContainEqual(expect.objectContaining({ type: 'answered', rule: 'owner' }));
});

const isoTime = (at: number) => new Date(at).toISOString();

/** What an administrator of the database can do without the key. */
async function insertStep(
  store: FlowStore,
  { approvalId, chat }: { readonly approvalId: ApprovalId; readonly chat: { readonly id: ChatId } },
): Promise<void> {
  const head = await store.chats.head(chat.id);
  const question = await store.questions.read(approvalId);
  if (!head || !question) throw new Error('It was not asked.');
  const { toolCallId } = question;
  const seq = head.seq + 1;
  const { escalation } = question.plugins ?? {};
  if (!escalation) throw new Error('It is not escalated.');
  const says = { ...escalation, step: 1 };
  const event = {
    type: 'plugin-event',
    plugin: 'escalation',
    name: 'escalated',
    ...{ approvalId, toolCallId, says, seq, at: head.updatedAt },
  } as const;
  const escalated = { ...question, plugins: { escalation: says } };
  const batch = { chatId: chat.id, after: head.seq, head: { ...head, seq }, owner: 'forger' };
  expect(await store.append({ ...batch, events: [event], questions: [escalated] })).toBe('appended');
}

clause('0048.11', async () => {
  const recorder = recordingSubscriber();
  const store = sqliteStore({ path: ':memory:' });
  const plugins = [subscriptions({ subscribers: [recorder.subscriber] })];
  const { ask, pass, clock, instance } = escalating(
    {
      steps: [
        { afterMs: 10 * minute, to: role('manager'), label: 'managers', remindEveryMs: 4 * minute },
        { afterMs: 20 * minute, to: role('director') },
      ],
      end: { afterMs: 40 * minute, then: 'withdraw' },
    },
    { store },
  );
  const first = instance({ plugins, sweepMs: 1_000 });
  await waitFor(async () => {
    clock.advance(1_000);
    expect(await store.subscriptions?.state('recorder')).toBeDefined();
  });
  // No instance delivers while all of this happens.
  await first.flow.close();
  await pass(0);
  const one = await ask(1);
  const two = await ask(2);
  await pass(10 * minute);
  await pass(4 * minute);
  await pass(6 * minute);
  await one.answer(ada);
  await one.chat.resume();
  await pass(20 * minute);
  await two.chat.resume();
  const three = await ask(3);
  await pass(10 * minute);
  expect(await three.story()).toEqual(['asked', 'step 1']);

  recorder.fail('question.escalated');
  instance({ plugins, sweepMs: 1_000, leaseMs: 1_000 });
  const until = (check: () => void) => passTimeToPass(clock, 1_000, check);
  const about = (amount: number) =>
    recorder.names().flatMap((name) => (name.endsWith(` ${amount}`) ? [name.split(/[ .]/)[1]] : []));
  // What follows a failed delivery waits for it.
  await until(() => expect(about(3)).toEqual(['opened']));
  expect(about(1)).toEqual(['opened']);
  recorder.heal();
  const upTo = ['opened', 'escalated', 'reminded', 'escalated'];
  await until(() => {
    expect(about(1)).toEqual([...upTo, 'settled']);
    expect(about(2)).toEqual([...upTo, 'withdrawn']);
    expect(about(3)).toEqual(['opened', 'escalated']);
  });
  expect(new Set(recorder.got.map(({ id }) => id)).size).toBe(recorder.got.length);
  for (const event of recorder.got) expect(subscriptionEventSchema.parse(event)).toEqual(event);
  const steps = recorder.got.filter(({ type }) => type === 'question.escalated').map(({ data }) => data);
  const question = expect.objectContaining({ id: one.approvalId });
  expect(steps).toContainEqual(
    expect.objectContaining({ says: expect.objectContaining({ step: 1, label: 'managers' }), question }),
  );

  // The feed as it was has each question once, with its last step.
  const changes = await store.questions.changes(0, 99);
  expect(changes.filter(({ question }) => question.id === one.approvalId)).toHaveLength(1);
});

clause('0048.12', async () => {
  const { ask, clock, instance, store, flow } = escalating(twoSteps);
  // One instance is killed while it records the first step, before or after the append.
  for (const when of ['before', 'after'] as const) {
    const question = await ask(when === 'before' ? 1 : 2);
    const point = { event: 'plugin-event', when } as const;
    const { store: dying, died } = dyingStore(store, point);
    const killed = instance({ store: dying });
    clock.advance(10 * minute);
    void killed.flow.recover().catch(() => {});
    await died;
    await flow.recover();
    expect(await question.story()).toEqual(['asked', 'step 1']);
    expect(await question.tries(max)).toBe('accepted');
  }
  // Another one is frozen while it looks, and returns late.
  const frozen = freezable(store, clock);
  const sleeper = instance({ store: frozen.store, clock: frozen.clock });
  const question = await ask(3);
  frozen.freeze();
  clock.advance(10 * minute);
  const late = sleeper.flow.recover();
  await flow.recover();
  expect(await question.story()).toEqual(['asked', 'step 1']);
  clock.advance(10 * minute);
  frozen.thaw();
  await late;
  expect(await question.story()).toEqual(['asked', 'step 1', 'step 2']);

  // A timer in the process that asked. The process is killed, and nothing ever happens.
  const byTimer = escalating(undefined);
  const lost = await byTimer.ask();
  let isAlive = true;
  const escalated: string[] = [];
  byTimer.clock.after(10 * minute, () => isAlive && escalated.push(lost.approvalId));
  isAlive = false;
  await byTimer.pass(30 * minute, byTimer.instance().flow);
  expect(escalated).toEqual([]);
  expect(await lost.story()).toEqual(['asked']);
});

clause('0048.13', async () => {
  const every = (remindEveryMs: number, more: Partial<Escalation> = {}): Escalation => ({
    steps: [{ afterMs: minute, to: () => true, remindEveryMs }],
    ...more,
  });
  const limited = escalating(every(minute, { end: { afterMs: 4 * minute, then: 'deny' } }));
  const first = await limited.ask();
  for (let round = 0; round < 6; round += 1) await limited.pass(minute);
  expect(await first.story()).toEqual(['asked', 'step 1', 'reminder 1', 'reminder 2', 'expired']);

  const endless = escalating(every(1_000));
  const second = await endless.ask();
  await endless.pass(minute);
  for (let round = 0; round < 120; round += 1) await endless.pass(1_000);
  expect((await second.story()).slice(-1)).toEqual(['reminder 100']);
  expect((await second.question())?.plugins?.escalation).not.toHaveProperty('nextAt');
  // Reminders are no activity of the chat: they extend no retention period.
  const head = await endless.store.chats.head(second.chat.id);
  expect(head?.updatedAt).toBe((await second.log()).find(({ type }) => type === 'run-suspended')?.at);
});

clause('0048.14', () => {
  const to = () => true;
  const one = { afterMs: minute, to };
  const rows: [Escalation, string][] = [
    [{ steps: [] }, 'escalation'],
    [{} as Escalation, 'escalation.steps'],
    [{ steps: [{ afterMs: minute } as never] }, 'escalation.steps[0].to'],
    [{ steps: [{ afterMs: 0, to }] }, 'escalation.steps[0].afterMs'],
    [{ steps: [one, one] }, 'escalation.steps[1].afterMs'],
    [{ steps: [one, { afterMs: 1, to }] }, 'escalation.steps[1].afterMs'],
    [{ steps: [{ ...one, after: 1 } as never] }, 'escalation.steps[0].after'],
    [{ steps: [{ ...one, label: ' ' }] }, 'escalation.steps[0].label'],
    [{ steps: [{ ...one, label: 'x'.repeat(101) }] }, 'escalation.steps[0].label'],
    [{ steps: [{ ...one, remindEveryMs: 0 }] }, 'escalation.steps[0].remindEveryMs'],
    [{ steps: Array.from({ length: 11 }, (_, index) => ({ afterMs: index + 1, to })) }, 'escalation.steps'],
    [{ steps: [one], end: { afterMs: minute, then: 'deny' } }, 'escalation.end.afterMs'],
    [{ steps: [], end: { afterMs: minute, then: 'approve' as never } }, 'escalation.end.then'],
  ];
  const refused = (path: string) =>
    expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) });
  for (const [given, path] of rows) {
    expect(() => escalating(given), path).toThrow(refused(path));
    const toolDetails = { pay: { escalation: given } };
    expect(() => escalating(undefined, { toolDetails }), path).toThrow(refused(`toolDetails.pay.${path}`));
  }
  const late: [Escalation | undefined, Partial<FlowSettings>, string][] = [
    [endAfter(2, 'deny'), { deadlineMs: minute }, 'escalation'],
    [{ steps: [one] }, { deadlineMs: minute }, 'escalation'],
    [
      undefined,
      { toolDetails: { pay: { escalation: endAfter(2, 'deny'), deadlineMs: minute } } },
      'toolDetails.pay.escalation',
    ],
    [endAfter(2, 'deny'), { toolDetails: { pay: { deadlineMs: minute } } }, 'toolDetails.pay.deadlineMs'],
  ];
  for (const [given, settings, path] of late) {
    expect(() => escalating(given, settings), path).toThrow(refused(path));
  }
  const accepted: [Escalation | undefined, Partial<FlowSettings>][] = [
    [endAfter(2, 'deny'), { deadlineMs: 2 * minute }],
    [endAfter(2, 'deny'), { toolDetails: { pay: { deadlineMs: minute, escalation: false } } }],
    [undefined, { toolDetails: { pay: { escalation: twoSteps, deadlineMs: 21 * minute } } }],
  ];
  for (const [given, settings] of accepted) expect(() => escalating(given, settings)).not.toThrow();
});
