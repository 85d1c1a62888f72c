import { context, trace } from '@opentelemetry/api';
import { type ToolSet, tool } from 'ai';
import { imports } from 'countersign/plugins/imports';
import { telemetry } from 'countersign/plugins/telemetry';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { approveThenCrash } from '../../support/approve-then-crash.ts';
import { deploys } from '../../support/deploys.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { importedPayment } from '../../support/imported-chats.ts';
import { recordTelemetry } from '../../support/record-telemetry.ts';

const call = [{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }];
const done = [{ text: 'Done.' }];
const plugins = [telemetry()];
const pay = { 'gen_ai.tool.name': 'pay' };

/** `pay`, with an effect that fails. */
const failing = (error: Error) =>
  ({
    pay: tool({
      inputSchema: z.looseObject({}),
      needsApproval: true,
      execute: (): Promise<string> => Promise.reject(error),
    }),
  }) as ToolSet;

/** A run that ended with its process, between an approval and its call, and its next owner. */
async function takenOver() {
  const { deploy, path, clock } = deploys();
  const asking = deploy('one', [call], { plugins });
  const { say, id } = asking.chat();
  questionIn(await say('Pay.'));
  await asking.flow.close();
  const store = sqliteStore({ path });
  await approveThenCrash(store, id, clock);
  clock.advance(60_000);
  const { flow } = deploy('two', [done], { plugins });
  await flow.recover();
  await expect.poll(async () => (await store.chats.head(id))?.status).toBe('idle');
  await flow.close();
}

describe('spans', () => {
  it('of a run that was taken over are in the trace of its turn, marked and without a link', async () => {
    const { named, request } = recordTelemetry();
    await request('deployment', () => takenOver());
    const [turn] = named('countersign.turn');
    const run = named('countersign.run').at(-1);
    expect(run?.attributes).toMatchObject({
      'countersign.run.taken_over': true,
      'countersign.run.end': 'completed',
    });
    expect(run?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
    expect(run?.links).toEqual([]);
  });

  it('of an imported chat whose open approval is asked again are one trace, from its import', async () => {
    const { named, spans, request } = recordTelemetry();
    const { flow, chat, id } = flowFixture([done], { plugins: [imports(), telemetry()] });
    const bring = () => flow.imports.chat({ principal: ada, chatId: id, messages: importedPayment });
    const { open = '' } = await request('import', bring);
    await request('import', bring);
    await request('answer', () => chat().answer(open, true));
    const [turn, ...others] = named('countersign.turn');
    const runs = named('countersign.run');
    expect(others).toEqual([]);
    expect(runs.map(({ attributes }) => attributes['countersign.run.end'])).toEqual([
      'suspended',
      'completed',
    ]);
    expect(runs.map((run) => run.parentSpanContext?.spanId)).toEqual(
      runs.map(() => turn?.spanContext().spanId),
    );
    expect(turn?.parentSpanContext?.spanId).toBe(named('import')[0]?.spanContext().spanId);
    expect(runs[1]?.links.map(({ context: { spanId } }) => spanId)).toEqual([
      named('answer')[0]?.spanContext().spanId,
    ]);
    expect(turn?.attributes).toMatchObject({ 'gen_ai.conversation.id': id });
    expect(spans().filter(({ name }) => name === 'execute_tool pay')).toHaveLength(1);
  });

  it('say by what kind of error a run, a step and an attempt failed, and no message that quotes anything; logs have their trace', async () => {
    const { named } = recordTelemetry();
    const logged: (string | undefined)[] = [];
    const error = () => void logged.push(trace.getSpanContext(context.active())?.traceId);
    const { say, answer } = flowFixture([call, [{ error: new RangeError('The prompt says: pay.') }]], {
      logger: { warn: () => {}, error },
      plugins: [telemetry({ recordOutputs: false })],
      tools: failing(new TypeError('No account alice.')),
      maxRetries: 0,
    });
    await answer(questionIn(await say('Pay.')), true);
    const failed = ['countersign.run', 'countersign.step', 'execute_tool pay'].map((name) =>
      named(name).at(-1),
    );
    expect(failed.map((span) => span?.attributes['error.type'])).toEqual([
      'run-failed',
      expect.stringMatching(/Error$/),
      'TypeError',
    ]);
    expect(failed.map((span) => span?.status)).toEqual([
      { code: 2, message: 'The model call failed. Try again.' },
      { code: 2 },
      { code: 2 },
    ]);
    expect(logged).toEqual([failed[0]?.spanContext().traceId]);
  });
});

describe('metrics', () => {
  it('count a run that was taken over, and each call by how it ended', async () => {
    const { points } = recordTelemetry();
    await takenOver();
    expect(await points('countersign.runs.taken_over')).toEqual([{ value: 1 }]);
    expect(await points('countersign.calls.ended')).toEqual([
      { ...pay, 'countersign.call.outcome': 'completed', value: 1 },
    ]);
  });

  it('reach a provider that is registered after the flow was created', async () => {
    const { say, answer } = flowFixture([call, done], { plugins });
    const { points } = recordTelemetry();
    await answer(questionIn(await say('Pay.')), true);
    const approved = { ...pay, 'countersign.question.outcome': 'approved', value: 1 };
    expect(await points('countersign.questions.settled')).toEqual([approved]);
  });

  it('count a question that is withdrawn, even if a new message begins in the same append', async () => {
    const { points } = recordTelemetry();
    const { say } = flowFixture([call, done], { plugins });
    await say('Pay.');
    await say('Never mind.');
    const superseded = { ...pay, 'countersign.question.outcome': 'superseded', value: 1 };
    expect(await points('countersign.questions.settled')).toEqual([superseded]);
    expect(await points('countersign.calls.ended')).toEqual([
      { ...pay, 'countersign.call.outcome': 'denied', value: 1 },
    ]);
  });

  it('count an unknown outcome, and how it became known', async () => {
    const { points } = recordTelemetry();
    const cut = Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
    const { flow, say, answer, id: chatId } = flowFixture([call, done], { tools: failing(cut), plugins });
    await answer(questionIn(await say('Pay.')), true);
    const toolCallId = parseToolCallId('pay-1');
    await flow.approvals.resolveOutcome({ principal: ada, chatId, toolCallId, outcome: 'completed' });
    expect(await points('countersign.calls.ended')).toEqual([
      { ...pay, 'countersign.call.outcome': 'unknown', value: 1 },
    ]);
    expect(await points('countersign.outcomes.resolved')).toEqual([
      { 'countersign.call.outcome': 'completed', 'countersign.outcome.source': 'person', value: 1 },
    ]);
  });

  it('name no tool that the model made up', async () => {
    const { points } = recordTelemetry();
    const { chat } = flowFixture([[{ call: 'rm -rf', id: 'made-up', input: {} }], done], { plugins });
    await chat().say('Clean up.');
    expect(await points('countersign.calls.ended')).toEqual([
      { 'gen_ai.tool.name': '_OTHER', 'countersign.call.outcome': 'failed', value: 1 },
    ]);
  });
});
