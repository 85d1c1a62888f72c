import { type ToolSet, tool } from 'ai';
import { verifyAudit } from 'countersign/audit';
import { sqliteStore } from 'countersign/store';
import {
  collect,
  type FakeClock,
  fakeClock,
  interceptedStore,
  type ScriptedPart,
  type ScriptedStep,
} from 'countersign/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowEvent } from '../../../lib/protocol/index.ts';
import { CountersignError, canonicalJson, isRunEnd, parseMessageId } from '../../../lib/protocol/index.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import { checkAppended, checkLog } from '../../support/check-log.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { passTime, passTimeUntil } from '../../support/pass-time.ts';
import { rememberedInChat, remembering } from '../../support/remembering.ts';

/** What somebody does, on one of two instances. `of` picks among what there is. */
type Deed =
  | { type: 'answer' | 'answer in the inbox'; approved: boolean; edited: boolean; remember: boolean }
  | { type: 'say'; withAnswer: boolean }
  | { type: 'resolve'; outcome: 'completed' | 'failed' | 'not-run'; of: number }
  | { type: 'edit' | 'retry' | 'cancel'; of: number }
  | { type: 'wait'; ms: number }
  | { type: 'output' | 'stop' | 'regenerate' | 'pause' | 'unpause' };
type Act = { deed: Deed; on: 0 | 1; turns: number | 'to its end' };

const auditKey = 'a key of sixteen characters or more';
const part = fc.constantFrom<ScriptedPart>(
  { call: 'pay', input: { to: 'alice', amount: 1 } },
  { call: 'pay', input: { to: 'bob', amount: 2 }, id: 'repeated' },
  { call: 'wire', input: { to: 'carol' } },
  { call: 'shift', input: { value: '7' } },
  { call: 'note', input: { text: 'x' } },
  { call: 'peek' },
  { call: 'lose' },
  { call: 'slow' },
  { call: 'theme' },
  { call: 'locate' },
);
const step: fc.Arbitrary<ScriptedStep> = fc
  .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 20 }))
  .map(([speaks, calls, end]) => [
    ...(speaks ? [{ text: 'Hm. ' }] : []),
    ...calls,
    ...(end === 0 ? [{ error: new Error('down') }] : []),
  ]);
const of = fc.nat(5);
const flags = { approved: fc.nat(7).map((n) => n > 0), edited: fc.boolean() };
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constantFrom('answer' as const, 'answer in the inbox' as const),
      ...flags,
      remember: fc.nat(2).map((n) => n === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('say' as const), withAnswer: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('resolve' as const),
      outcome: fc.constantFrom('completed' as const, 'failed' as const, 'not-run' as const),
      of,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('edit' as const, 'retry' as const, 'cancel' as const),
      of,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(100, 3_000, 30_000) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'output' as const,
        'stop' as const,
        'regenerate' as const,
        'regenerate' as const,
        'pause' as const,
        'unpause' as const,
      ),
    }),
  },
);
const act: fc.Arbitrary<Act> = fc.record({
  deed,
  on: fc.constantFrom(0 as const, 1 as const),
  turns: fc.oneof(fc.constant('to its end' as const), fc.constant('to its end' as const), fc.nat(60)),
});

const expected = new Set([
  'run-active',
  'superseded',
  'already-answered',
  'invalid-request',
  'not-found',
  'question-changed',
  'expired',
  'paused',
]);

type Ran = { tool: string; input: unknown; toolCallId: string; on: number };

/** The tools of one instance. `pay` is another tool on each; `shift` now and then makes something else of its arguments. */
function toolsOf(on: number, ran: Ran[], shifts: { count: number }, clock: FakeClock) {
  const acts =
    (name: string, result: () => unknown = () => `${name} done`) =>
    async (input: unknown, { toolCallId }: { toolCallId: string }) => {
      ran.push({ tool: name, input, toolCallId, on });
      return result();
    };
  const lost = () => {
    throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
  };
  const pay = z.object({ to: z.string(), amount: z.number().transform((amount) => amount * 100) });
  const shifting = z.object({
    value: z.string().transform((value) => {
      shifts.count += 1;
      return Number(value) + Math.floor(shifts.count / 5);
    }),
  });
  return {
    pay: tool({
      description: on === 0 ? 'Pays.' : 'Pays at once.',
      inputSchema: pay,
      needsApproval: true,
      execute: acts('pay'),
    }),
    wire: tool({
      inputSchema: z.object({ to: z.string() }),
      needsApproval: true,
      execute: acts('wire', lost),
    }),
    shift: tool({ inputSchema: shifting, needsApproval: true, execute: acts('shift') }),
    note: tool({ inputSchema: z.object({ text: z.string() }), execute: acts('note') }),
    peek: tool({ inputSchema: z.object({}), execute: acts('peek') }),
    slow: tool({
      inputSchema: z.object({}),
      execute: acts('slow', () => new Promise((resolve) => void clock.after(1_000, () => resolve('late')))),
    }),
    lose: tool({ inputSchema: z.object({}), execute: acts('lose', lost) }),
    locate: tool({
      inputSchema: z.object({ exact: z.boolean().default(true) }),
      outputSchema: z.object({ lat: z.number() }),
      needsApproval: true,
    }),
    theme: tool({ inputSchema: z.object({}), outputSchema: z.string() }),
  } as ToolSet;
}

/** Plays the acts on a fresh chat, and gives what is wrong afterwards. */
async function play(steps: readonly ScriptedStep[], acts: readonly Act[]): Promise<string[]> {
  const faults: string[] = [];
  const ran: Ran[] = [];
  const questions: { approvalId: string; toolCallId: string; on: number }[] = [];
  const said: string[] = [];
  const stopsAt: { runId: string; seq: number }[] = [];
  const clock = fakeClock();
  const inner = sqliteStore({ path: ':memory:' });
  const shifts = { count: 0 };
  let modelCalls = 0;
  let appended = 0;
  const instance = (on: 0 | 1) =>
    flowFixture(() => steps[modelCalls++] ?? [{ text: 'Done.' }], {
      plugins: remembering,
      store: interceptedStore(
        {
          ...inner,
          runs: {
            ...inner.runs,
            async requestStop(chatId, runId) {
              await inner.runs.requestStop(chatId, runId);
              stopsAt.push({ runId, seq: appended });
            },
          },
        },
        () => {},
        (append) => {
          appended = Math.max(appended, append.head.seq);
          faults.push(...checkAppended(append));
          for (const event of append.events) {
            if (event.type !== 'approval-requested') continue;
            questions.push({ approvalId: event.approvalId, toolCallId: event.toolCallId, on });
          }
        },
      ),
      tools: toolsOf(on, ran, shifts, clock),
      toolDetails: {
        peek: { idempotent: true },
        slow: { timeoutMs: 100 },
        wire: { deadlineMs: 20_000 },
      },
      approvalValidForMs: 2_000,
      release: on === 0 ? 'final' : 'progressive',
      clock,
      auditKey,
      logger: { warn: () => {}, error: () => {} },
    });
  const instances = [instance(0), instance(1)] as const;
  const chats = instances.map(({ chat }) => chat());
  const [first] = chats;
  if (!first) throw new Error('There is no instance.');
  const principal = ada;
  const chatId = first.id;
  const pick = <Item>(list: readonly Item[], place: number) => list[place % Math.max(1, list.length)];
  const log = (): Promise<readonly FlowEvent[]> => inner.events.read(chatId, 0) as never;

  async function perform({ deed, on }: Act): Promise<void> {
    const { flow } = instances[on];
    const { ask } = chats[on] as NonNullable<(typeof chats)[number]>;
    const read = async (stream: ReturnType<typeof ask>) => {
      await collect(uiMessageChunks(await stream));
    };
    const open = (questions.at(-1)?.approvalId ?? 'nothing') as never;
    const callIds = async () =>
      (await log()).flatMap((event) => (event.type === 'tool-requested' ? [event.toolCallId] : []));
    const unknownIds = async () =>
      (await log()).flatMap((event) =>
        event.type === 'tool-failed' && event.outcome === 'unknown' ? [event.toolCallId] : [],
      );
    switch (deed.type) {
      case 'say': {
        said.push(`user-${said.length}`);
        const answers = deed.withAnswer ? [{ approvalId: open, approved: true }] : [];
        return read(ask({ message: userMessage(said.at(-1) ?? '', 'Go.'), answers }));
      }
      case 'edit': {
        const id = pick(said, deed.of) ?? 'nothing';
        return read(ask({ message: userMessage(id, 'Edited.'), messageId: parseMessageId(id) }));
      }
      case 'answer':
      case 'answer in the inbox': {
        const { approved, edited, remember } = deed;
        const question = edited && approved ? await inner.questions.read(open) : undefined;
        const answer = {
          approvalId: open,
          approved,
          ...(question?.toolName === 'pay' ? { input: { to: 'dave', amount: 5 } } : {}),
          ...(remember && approved ? rememberedInChat : {}),
        };
        if (deed.type === 'answer') return read(ask({ answers: [answer] }));
        return void (await flow.approvals.answer({ ...answer, principal, via: 'http' }));
      }
      case 'resolve': {
        const toolCallId = pick(await unknownIds(), deed.of) ?? ('nothing' as never);
        return void (await flow.approvals.resolveOutcome({
          principal,
          chatId,
          toolCallId,
          outcome: deed.outcome,
        }));
      }
      case 'retry': {
        const toolCallId = pick((await callIds()).toReversed(), deed.of) ?? ('nothing' as never);
        const stream = await flow.chats.retryCall({ principal, chatId, toolCallId });
        return void (stream && (await collect(uiMessageChunks(stream))));
      }
      case 'cancel': {
        const toolCallId = pick((await callIds()).toReversed(), deed.of) ?? ('nothing' as never);
        return void (await flow.chats.cancelCall({ principal, chatId, toolCallId }));
      }
      case 'output': {
        const handed = (await log()).findLast((event) => event.type === 'run-suspended');
        const toolCallId = (handed?.type === 'run-suspended' ? handed.toolCallId : 'nothing') as never;
        const call = (await log()).find((e) => e.type === 'tool-requested' && e.toolCallId === toolCallId);
        const isTheme = call?.type === 'tool-requested' && call.toolName === 'theme';
        return read(ask({ outputs: [{ toolCallId, output: isTheme ? 'dark' : { lat: 1 } }] }));
      }
      case 'wait':
        clock.advance(deed.ms);
        return flow.recover();
      case 'stop':
        return flow.chats.stop({ chatId, principal });
      case 'regenerate':
        return read(ask({ trigger: 'regenerate-message' }));
      case 'pause':
        return flow.tools.pause({ principal, tool: 'pay', reason: 'Looking into it.' });
      case 'unpause':
        return flow.tools.unpause({ principal, tool: 'pay' });
      default:
        return deed satisfies never;
    }
  }

  const under: Promise<void>[] = [];
  for (const each of acts) {
    const done = perform(each).catch((error: unknown) => {
      if (CountersignError.is(error) && expected.has(error.code)) return;
      faults.push(`${each.deed.type} failed: ${error instanceof Error ? error.stack : String(error)}`);
    });
    under.push(done);
    if (each.turns === 'to its end') await settled(done, clock);
    else for (let turn = 0; turn < each.turns; turn += 1) await Promise.resolve();
  }
  await settled(Promise.all(under), clock);
  await settled(
    first.resume().catch(() => null),
    clock,
  );
  // What is known late is reported.
  await passTime(clock, 3_000, 20);
  for (const [on, { resume, view }] of chats.entries()) {
    const whole = await settled(
      resume().catch(() => null),
      clock,
    );
    const stored = await view();
    if (stored.run.status === 'active') faults.push('the chat is active at the end');
    const shown = stored.messages.at(-1);
    if (
      whole &&
      canonicalJson(plain((await messageOf(whole)).parts)) !== canonicalJson(plain(shown?.parts ?? []))
    ) {
      faults.push(
        `instance ${on} streams ${JSON.stringify((await messageOf(whole)).parts)}, but stores ${JSON.stringify(shown?.parts)}`,
      );
    }
  }
  const whole = await log();
  faults.push(...checkLog(whole));
  for (const { model } of instances) {
    for (const { prompt } of model.calls) faults.push(...checkPrompt(prompt));
  }
  faults.push(...checkEffects(whole, ran, questions), ...checkStops(whole, stopsAt));
  const record = await instances[0].flow.audit.read({ chatId, principal });
  const broken = verifyAudit(record.entries, { key: auditKey, head: record.head, faults: record.faults });
  if (broken) faults.push(`the record: ${JSON.stringify(broken)} ${JSON.stringify(record.faults)}`);
  for (const { flow } of instances) await flow.close();
  return faults;
}

/** Time passes only where something waits for it. */
const settled = <Result>(done: Promise<Result>, clock: FakeClock) =>
  passTimeUntil(clock, done, { stepMs: 20 });

/** What a person was shown is what ran, on the instance whose tool it was; nothing ran twice or unasked. */
function checkEffects(
  log: readonly FlowEvent[],
  ran: readonly Ran[],
  questions: readonly { toolCallId: string; on: number }[],
): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { tool: name, input, toolCallId, on } of ran) {
    if (seen.has(toolCallId)) faults.push(`${toolCallId} ran twice`);
    seen.add(toolCallId);
    const of = log.filter((event) => 'toolCallId' in event && event.toolCallId === toolCallId);
    const find = <Type extends FlowEvent['type']>(type: Type) =>
      of.find((event): event is Extract<FlowEvent, { type: Type }> => event.type === type);
    const requested = find('tool-requested');
    if (requested?.toolName !== name) faults.push(`${toolCallId} is a call of ${requested?.toolName}`);
    if (!['pay', 'wire', 'shift'].includes(name)) continue;
    const [asked, answered, granted] = [
      find('approval-requested'),
      find('approval-answered'),
      find('approval-granted'),
    ];
    if (!granted && !(asked && answered?.approved)) faults.push(`${toolCallId} ran without an approval`);
    const shown =
      answered?.runsAs ?? answered?.input ?? asked?.runsAs ?? requested?.runsAs ?? requested?.input;
    if (!granted && canonicalJson(shown ?? null) !== canonicalJson(plain(input) as never)) {
      faults.push(`${toolCallId} ran with ${JSON.stringify(input)}, but shown was ${JSON.stringify(shown)}`);
    }
    const place = questions.find((question) => question.toolCallId === toolCallId);
    if (name === 'pay' && place && place.on !== on) faults.push(`${toolCallId} ran as another tool`);
  }
  return faults;
}

/** After the acknowledgement of a stop its run starts and asks nothing, and after its end there is nothing of a run. */
function checkStops(log: readonly FlowEvent[], stops: readonly { runId: string; seq: number }[]): string[] {
  const faults: string[] = [];
  const ended = new Set<string>();
  for (const event of log) {
    const { runId } = event;
    if (runId === undefined) continue;
    if (ended.has(runId) && event.type !== 'message-received' && event.type !== 'history-cut') {
      faults.push(`${event.type} follows the end of ${runId}`);
    }
    if (isRunEnd(event)) ended.add(runId);
    const isStart = ['tool-started', 'approval-requested', 'run-suspended', 'tool-retrying'].includes(
      event.type,
    );
    if (isStart && stops.some((stop) => stop.runId === runId && stop.seq < event.seq)) {
      faults.push(`${event.type} follows the stop of ${runId}`);
    }
  }
  return faults;
}

it.each(rowsOfThisRun([14, 15, 16], (seed) => seed === 14))(
  'keeps the promises on two instances with different tools, whatever is asked, answered, changed, cut and stopped (%i)',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.array(act, { minLength: 1, maxLength: 16 }),
        async (steps, acts) => {
          const begun: Act = { deed: { type: 'say', withAnswer: false }, on: 0, turns: 'to its end' };
          expect(await play(steps, [begun, ...acts])).toEqual([]);
        },
      ),
      { seed, numRuns: 70, endOnFailure: false },
    );
  },
  60_000,
);
