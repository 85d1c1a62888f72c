// depends on: docs/adr docs/compatibility.md scripts/compatibility scripts/compatibility.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ModelMessage, streamText, type TextStreamPart, type ToolSet, tool } from 'ai';
import { createApprovalFlow, type FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep, scriptedModel } from 'countersign/testing';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { refusedSettings } from '../../lib/settings/checks/refused-settings.ts';
import { adr } from '../support/adr.ts';
import { barrier } from '../support/barrier.ts';
import { cutOffStore } from '../support/cut-off-store.ts';
import { flowFixture, questionIn, types, userMessage } from '../support/flow-fixture.ts';
import { passTime } from '../support/pass-time.ts';
import { untilIdle } from '../support/until-idle.ts';

const { clause } = adr('0029-settings-that-are-refused.md');

const call: ScriptedStep = [{ call: 'pay', id: 'c1', input: { amount: 5 } }];
const done: ScriptedStep = [{ text: 'Done.' }];
const logger = { warn: () => {}, error: () => {} };

/** A tool that records the amounts it is called with. */
function payment(needsApproval = true) {
  const ran: number[] = [];
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    needsApproval,
    execute: async ({ amount }) => {
      ran.push(amount);
      return 'paid';
    },
  });
  return { ran, tools: { pay } };
}

type Native = Omit<
  Parameters<typeof streamText<ReturnType<typeof payment>['tools']>>[0],
  'prompt' | 'messages'
>;

/** A question of the SDK alone, and the messages with which a client would approve it. */
async function approvedNatively(settings: Native): Promise<ModelMessage[]> {
  const prompt: ModelMessage = { role: 'user', content: 'Pay.' };
  const result = streamText({ ...settings, messages: [prompt] });
  await result.consumeStream();
  const { messages } = await result.response;
  const asked = messages
    .flatMap(({ role, content }) => (role === 'tool' || typeof content === 'string' ? [] : content))
    .find((part) => part.type === 'tool-approval-request');
  if (asked?.type !== 'tool-approval-request') throw new Error('The SDK did not ask.');
  const { approvalId } = asked;
  const answer = { type: 'tool-approval-response' as const, approvalId, approved: true };
  return [prompt, ...messages, { role: 'tool', content: [answer] }];
}

clause('0029.1', async () => {
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  for (const [name, reason] of Object.entries(refusedSettings)) {
    const create = () => createApprovalFlow({ model: scriptedModel([]), store, [name]: {} } as never);
    const message = expect.stringContaining(reason);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-settings', message }));
  }

  // Rejected: the SDK's signature, and an answer that is sent twice.
  const { ran, tools } = payment();
  const settings = { model: scriptedModel([call, done, done]), tools };
  const signed = { ...settings, experimental_toolApprovalSecret: 'a secret of many characters' };
  const messages = await approvedNatively(signed);
  for (let sent = 0; sent < 2; sent += 1) await streamText({ ...signed, messages }).consumeStream();
  expect(ran).toEqual([5, 5]);
});

clause('0029.2', async () => {
  const { ran, tools } = payment();
  let rate = 100;
  const refine = { pay: ({ amount }: { amount: number }) => ({ amount: amount * rate }) };
  const refused = { tools: tools as ToolSet, experimental_refineToolInput: refine } as Partial<FlowSettings>;
  expect(() => flowFixture([], refused)).toThrow(/`experimental_refineToolInput.pay` is refused/);

  // Rejected: the SDK alone. Nothing runs, and nobody is asked again.
  const settings = {
    model: scriptedModel([call, done]),
    tools,
    experimental_refineToolInput: refine,
    onError: () => {},
  };
  const messages = await approvedNatively(settings);
  rate = 200;
  await streamText({ ...settings, messages }).consumeStream();
  expect(ran).toEqual([]);
});

clause('0029.3', async () => {
  const raising = () =>
    new TransformStream<TextStreamPart<ToolSet>, TextStreamPart<ToolSet>>({
      transform: (part, controller) =>
        controller.enqueue(part.type === 'tool-call' ? { ...part, input: { amount: 1 } } : part),
    });
  const ours = payment(false);
  const { chat } = flowFixture([call, done], {
    tools: ours.tools as ToolSet,
    experimental_transform: raising,
    logger,
  });
  expect(types(await chat().say('Pay.')).at(-1)).toBe('error');
  expect(ours.ran).toEqual([]);

  // Rejected: the SDK alone shows 1, and pays 5.
  const native = payment(false);
  const result = streamText({
    model: scriptedModel([call]),
    tools: native.tools as ToolSet,
    experimental_transform: raising,
    prompt: 'Pay.',
  });
  const shown = await Array.fromAsync(result.stream);
  expect(shown.find(({ type }) => type === 'tool-call')).toMatchObject({ input: { amount: 1 } });
  expect(native.ran).toEqual([5]);
});

clause('0029.4', async () => {
  const clock = fakeClock();
  const { ran, tools } = payment();
  const { say, answer } = flowFixture([call, done], { tools: tools as ToolSet, timeout: 1_000, clock });

  // Rejected: one signal for the turn.
  const ofTurn = new AbortController();
  clock.after(1_000, () => ofTurn.abort());

  const question = questionIn(await say('Pay.'));
  clock.advance(60_000);
  expect(types(await answer(question, true)).at(-1)).toBe('finish');
  expect(ran).toEqual([5]);
  expect(ofTurn.signal.aborted).toBe(true);
});

/** Two calls without a question, on an instance that loses its store during the first, and the log that another leaves. */
async function lostWhileRunning(settings: Partial<FlowSettings>) {
  const clock = fakeClock();
  const inner = sqliteStore({ path: ':memory:' });
  const line = cutOffStore(inner);
  const begun = barrier();
  const ended = barrier();
  const ran: string[] = [];
  const act = tool({
    inputSchema: z.object({}),
    execute: async (_input, { toolCallId }) => {
      ran.push(toolCallId);
      begun.lift();
      await ended.wait;
      return 'acted';
    },
  });
  const script: ScriptedStep[] = [
    [
      { call: 'act', id: 'first' },
      { call: 'act', id: 'second' },
    ],
    done,
  ];
  const playing = (options: { prompt: readonly { role: string }[] }) =>
    script[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];
  const common = { clock, leaseMs: 10_000, tools: { act } as ToolSet, logger, ...settings };
  const before = flowFixture(playing as never, { store: line.store, ...common });
  const after = flowFixture(playing as never, { store: inner, ...common });
  await before.chat().ask({ message: userMessage('first', 'Go.') });
  await begun.wait;
  line.cut();
  await passTime(clock, 14_000, 500);
  ended.lift();
  await after.flow.recover();
  await expect.poll(async () => (await inner.chats.head(after.chat().id))?.status).toBe('idle');
  const log = await inner.events.read(after.chat().id, 0);
  return log.flatMap((event) => {
    if (event.type === 'tool-completed') return [`${event.toolCallId} completed`];
    return event.type === 'tool-failed' ? [`${event.toolCallId} ${event.outcome}`] : [];
  });
}

clause('0029.5', async () => {
  expect(await lostWhileRunning({ toolCallConcurrency: 1 })).toEqual(['first unknown', 'second completed']);

  // Rejected: all starts at once, as without the setting.
  expect(await lostWhileRunning({})).toEqual(['first unknown', 'second unknown']);
});

clause('0029.6', async () => {
  const onEnd = () => new Promise<void>(() => {});
  const onStepEnd = () => {
    throw new Error('No line.');
  };
  const { chat } = flowFixture([done], { onEnd, onStepEnd, logger });
  expect(types(await chat().say('Hi.')).at(-1)).toBe('finish');

  // Rejected: the SDK awaits it, so its stream does not end.
  const result = streamText({ model: scriptedModel([done]), prompt: 'Hi.', onEnd });
  const reader = result.stream.getReader();
  const parts: string[] = [];
  while (parts.at(-1) !== 'finish') parts.push((await reader.read()).value?.type ?? 'end');
  const end = reader.read().then(() => 'ended');
  expect(await Promise.race([end, untilIdle().then(() => 'waits')])).toBe('waits');
  void reader.cancel();
});

clause('0029.7', () => {
  const root = resolve(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(tmpdir(), 'compatibility-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const declarations = readFileSync(join(root, 'node_modules/ai/dist/index.d.ts'), 'utf8');
  const newer = declarations
    .replace(
      /^(type ToolLoopAgentSettings<.* & \{)$/m,
      '$1\n  newSetting?: string;\n  onNewThing?: () => void;',
    )
    .replace(/^(type UIMessageChunk<.*> =) \{$/m, "$1 { type: 'new-chunk' } | {");
  const path = join(folder, 'newer.d.ts');
  writeFileSync(path, newer);
  const args = ['scripts/compatibility.mjs', '--check', path];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  for (const name of ['newSetting', 'onNewThing', 'new-chunk'])
    expect(stderr).toContain(`${name} has no row`);
});
