import * as ai from 'ai';
import { readUIMessageStream, type ToolSet, tool, type UIMessage, type UIMessageChunk } from 'ai';
import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep, scriptedModel } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { streamOf } from '../../../lib/testing/stream-of.ts';
import { approveThenCrash } from '../../support/approve-then-crash.ts';
import { checkLog } from '../../support/check-log.ts';
import { deploys } from '../../support/deploys.ts';
import { ada, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';
import {
  agentTools,
  bill,
  pay,
  research,
  researchTool,
  subagentFixture,
} from '../../support/subagent-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';

const toResearch = [research('r')];
const done = [{ text: 'Done.' }];
const paid = [{ text: 'Paid.' }];
const look = { call: 'look', id: 'l', input: {} };

const resultOf = (fixture: ReturnType<typeof subagentFixture>, call: number) =>
  fixture.model.calls[call]?.prompt.findLast(({ role }) => role === 'tool')?.content;

describe('what ends a turn ends its subagents [ADR 0035]', () => {
  it('a new message withdraws the question, and the model learns what ran', async () => {
    const fixture = subagentFixture([toResearch, done], [[look, pay('p')]]);
    const { say, view } = fixture.chat();
    await say('Go.');
    await say('Never mind.');
    expect(resultOf(fixture, 1)).toMatchObject([
      {
        toolCallId: 'r',
        output: { type: 'error-text', value: expect.stringContaining('look {}: completed') },
      },
    ]);
    expect((await view()).questions).toMatchObject([{ state: 'superseded' }]);
    expect(checkLog(await fixture.store.events.read(fixture.chat().id, 0))).toEqual([]);
  });

  it('a deadline denies the call, and the subagent continues', async () => {
    const clock = fakeClock();
    const agent = { toolDetails: { pay: { deadlineMs: 1_000 } } };
    const fixture = subagentFixture([toResearch, done], [[pay('p')], paid], { clock, agent });
    const { say, resume } = fixture.chat();
    await say('Go.');
    clock.advance(1_000);
    await fixture.flow.recover();
    await resume();
    expect(fixture.agentRan).toEqual([]);
    expect(fixture.agentModel.calls).toHaveLength(2);
  });

  it('a failing model of a subagent fails its call alone', async () => {
    const logger = { warn: () => {}, error: () => {} };
    const both = [research('r1', 'one'), research('r2', 'two')];
    const model = scriptedModel(({ prompt }): ScriptedStep => {
      if (JSON.stringify(prompt).includes('Task: one')) return [{ reject: new Error('secret of the host') }];
      return [{ text: 'Two.' }];
    });
    const settings = { agent: { model, maxRetries: 0 }, logger };
    const fixture = subagentFixture([both, done], [], settings);
    const chunks = await fixture.chat().say('Go.');
    expect(resultOf(fixture, 1)).toMatchObject([
      { toolCallId: 'r1', output: { type: 'error-text', value: 'The subagent failed.' } },
      { toolCallId: 'r2', output: { value: 'Two.' } },
    ]);
    expect(JSON.stringify(chunks)).not.toContain('secret of the host');
  });

  it('an answer that was cut off is a failure, and a stop condition is not', async () => {
    const cut = subagentFixture([toResearch, done], [[{ text: 'It is' }, { finish: 'length' }]]);
    await cut.chat().say('Go.');
    expect(resultOf(cut, 1)).toMatchObject([
      { output: { value: "The subagent's answer was cut off (length)." } },
    ]);
    const stopWhen = ai.isStepCount(1) as FlowSettings['stopWhen'];
    const fixture = subagentFixture([toResearch, done], [[{ text: 'So far.' }, look]], {
      agent: { stopWhen },
    });
    await fixture.chat().say('Go.');
    expect(resultOf(fixture, 1)).toMatchObject([{ output: { type: 'text', value: 'So far.' } }]);
    expect(fixture.agentModel.calls).toHaveLength(1);
  });

  it.each<[string, ScriptedStep, string]>([
    ['fails', [{ reject: new Error('secret of the host') }], 'The subagent failed.'],
    ['is cut off', [{ finish: 'length' }], "The subagent's answer was cut off (length)."],
  ])(
    'the calling model learns which calls ran before a subagent %s, and people read one sentence',
    async (_how, last, error) => {
      const agent = { maxRetries: 0 };
      const logger = { warn: () => {}, error: () => {} };
      const fixture = subagentFixture([toResearch, done], [[look], last], { agent, logger });
      const chunks = await fixture.chat().say('Go.');
      const value = `${error} Its calls:\n- look {}: completed`;
      expect(resultOf(fixture, 1)).toMatchObject([{ output: { type: 'error-text', value } }]);
      expect(chunks).toContainEqual(expect.objectContaining({ type: 'tool-output-error', errorText: error }));
      expect(JSON.stringify(chunks)).not.toContain('Its calls');
    },
  );

  it('the calling model learns which outcomes are unknown, without secret arguments', async () => {
    const send = tool({
      inputSchema: z.object({ pin: z.string() }),
      execute: (): string => {
        throw Object.assign(new Error('Reset.'), { code: 'ECONNRESET' });
      },
    });
    const agent = { maxRetries: 0, tools: { send }, toolDetails: { send: { secrets: { input: ['pin'] } } } };
    const script: ScriptedStep[] = [
      [{ call: 'send', id: 's', input: { pin: '4711' } }],
      [{ reject: new Error('Overloaded.') }],
    ];
    const logger = { warn: () => {}, error: () => {} };
    const fixture = subagentFixture([toResearch, done], script, { agent, logger });
    await fixture.chat().say('Go.');
    const value = 'The subagent failed. Its calls:\n- send: outcome unknown';
    expect(resultOf(fixture, 1)).toMatchObject([{ output: { value } }]);
  });

  it('the calling model learns which calls ran two levels below', async () => {
    const logger = { warn: () => {}, error: () => {} };
    const failing: ScriptedStep = [{ reject: new Error('Overloaded.') }];
    const inner = researchTool([[look], failing], { maxRetries: 0 });
    const agent = { maxRetries: 0, tools: { write: inner.tools.research } as ToolSet };
    const toWrite = { call: 'write', id: 'w', input: { task: 'x' } };
    const fixture = subagentFixture([toResearch, done], [[toWrite], failing], { agent, logger });
    await fixture.chat().say('Go.');
    const value = 'The subagent failed. Its calls:\n- write {"task":"x"}: failed\n- write/look {}: completed';
    expect(resultOf(fixture, 1)).toMatchObject([{ output: { value } }]);
  });

  it('the calling model learns which calls ran of a subagent that was removed', async () => {
    const { path } = deploys();
    const logger = { warn: () => {}, error: () => {} };
    const one = subagentFixture([toResearch], [[look, pay('p')]], { store: sqliteStore({ path }) });
    const id = questionIn(await one.chat().say('Go.'));
    await one.flow.close();
    const two = flowFixture([done], { store: sqliteStore({ path }), logger });
    await two.chat().answer(id, false);
    expect(two.model.calls[0]?.prompt.findLast(({ role }) => role === 'tool')?.content).toMatchObject([
      {
        toolCallId: 'r',
        output: {
          value: expect.stringMatching(
            /^The subagent failed\. Its calls:\n- look \{\}: completed\n- pay .*: denied$/,
          ),
        },
      },
    ]);
  });

  it('regenerating keeps the calls that a subagent ran, and the result of its call', async () => {
    const fixture = subagentFixture([toResearch, done, [{ text: 'Again.' }]], [[pay('p')], paid]);
    const { say, answer, ask, view } = fixture.chat();
    await answer(questionIn(await say('Go.')), true);
    const messageId = (await view()).messages.at(-1)?.id as never;
    await fixture.read(await ask({ trigger: 'regenerate-message', messageId }));
    expect(fixture.agentRan).toHaveLength(1);
    expect(resultOf(fixture, 2)).toMatchObject([{ toolCallId: 'r', output: { value: 'Paid.' } }]);
    const parts = (await view()).messages.at(-1)?.parts ?? [];
    expect(parts.filter((part) => 'toolCallId' in part)).toMatchObject([
      { type: 'tool-research', output: 'Paid.' },
      { toolName: 'research/pay', output: 'pay done' },
    ]);
  });
});

describe('a question within a subagent is like any other', () => {
  it('its call runs with edited arguments, is remembered, and is asked about again when its tool changed', async () => {
    const { path } = deploys();
    const clock = fakeClock();
    const make = (description: string, script: ScriptedStep[], agentScript: ScriptedStep[]) => {
      const { tools, ran } = agentTools();
      const changed = { ...tools, pay: { ...tools.pay, description } } as ToolSet;
      const store = sqliteStore({ path });
      return { ...subagentFixture(script, agentScript, { store, clock, agent: { tools: changed } }), ran };
    };
    const one = make('Pays.', [toResearch], [[pay('p')]]);
    const id = questionIn(await one.chat().say('Go.'));
    await one.flow.close();
    const two = make('Pays, and tells the tax office.', [done], [paid]);
    const { answer, view } = two.chat();
    await answer(id, true).catch(() => []);
    const question = (await view()).questions.find(({ state }) => state === 'open');
    expect(two.ran).toEqual([]);
    expect(question).toMatchObject({ replaces: id, toolName: 'research/pay', title: 'research → pay' });
    await answer(question?.id ?? '', true, { input: { to: 'bob', amount: 7 } });
    expect(two.ran).toMatchObject([{ input: { to: 'bob', amount: 7 } }]);
    expect(two.agentModel.calls[0]?.prompt.slice(-2)).toMatchObject([
      { role: 'assistant', content: [{ toolName: 'pay' }] },
      { role: 'tool', content: [{ toolName: 'pay', output: { type: 'text' } }] },
    ]);
  });

  it('the subagent may need an approval itself, and begins after it', async () => {
    const settings = { toolApproval: { research: 'user-approval' } as FlowSettings['toolApproval'] };
    const fixture = subagentFixture([toResearch, done], [[pay('p')], paid], settings);
    const { say, answer } = fixture.chat();
    const first = await say('Go.');
    expect(fixture.agentModel.calls).toEqual([]);
    const second = await answer(questionIn(first), true, { input: { task: 'other' } });
    expect(fixture.agentModel.calls[0]?.prompt.at(-1)).toMatchObject({ content: [{ text: 'Task: other' }] });
    await answer(questionIn(second), true);
    expect(fixture.agentRan).toHaveLength(1);
    const denied = subagentFixture([toResearch, done], [], settings);
    await denied.chat().answer(questionIn(await denied.chat().say('Go.')), false);
    expect(denied.agentModel.calls).toEqual([]);
  });

  it('a paused tool is not called, and a paused subagent does not begin', async () => {
    for (const toolName of ['research', 'research/look']) {
      const fixture = subagentFixture([toResearch, done], [[look], paid]);
      await fixture.flow.tools.pause({ tool: toolName, reason: 'Audit.', principal: ada });
      const chunks = await fixture.chat().say('Go.');
      expect(fixture.agentRan).toEqual([]);
      expect(JSON.stringify(chunks)).toContain(`Not run: ${toolName} is paused.`);
    }
  });

  it('with an audit key, a forged approval runs nothing', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const clock = fakeClock();
    const settings = { store, clock, auditKey: 'a key of sixteen characters', leaseMs: 10_000 };
    const logger = { warn: () => {}, error: () => {} };
    const fixture = subagentFixture([toResearch, done], [[pay('p')], paid], { ...settings, logger });
    const { say, id, resume } = fixture.chat();
    await say('Go.');
    await approveThenCrash(store, id, clock);
    clock.advance(10_000);
    await fixture.flow.recover();
    await resume();
    expect(fixture.agentRan).toEqual([]);
    expect(fixture.agentModel.calls).toHaveLength(2);
  });
});

describe('a page that renders a turn with subagents', () => {
  const message = async (chunks: readonly UIMessageChunk[], before?: UIMessage) => {
    let last = before;
    for await (const next of readUIMessageStream({
      stream: streamOf(chunks),
      message: before,
    }))
      last = next;
    return last as UIMessage;
  };

  it.each(['final', 'progressive'] as const)(
    '%s: the SDK’s own predicate sends each answer',
    async (release) => {
      const fixture = subagentFixture([toResearch, done], [[look, pay('p')], [pay('q')], paid], { release });
      const { say, answer } = fixture.chat();
      let page: UIMessage | undefined;
      let chunks = await say('Go.');
      for (const _question of ['p', 'q']) {
        page = await message(chunks, page);
        const id = questionIn(chunks);
        const parts = page.parts.map((part) =>
          'approval' in part && part.approval?.id === id
            ? { ...part, state: 'approval-responded', approval: { id, approved: true } }
            : part,
        );
        page = { ...page, parts: parts as UIMessage['parts'] };
        expect(ai.lastAssistantMessageIsCompleteWithApprovalResponses({ messages: [page] })).toBe(true);
        chunks = await answer(id, true);
      }
      page = await message(chunks, page);
      expect(page.parts.flatMap((part) => ('toolCallId' in part ? [part.state] : []))).toEqual(
        Array.from({ length: 4 }, () => 'output-available'),
      );
      expect(types(chunks).at(-1)).toBe('finish');
    },
  );
});

it('the call of a subagent is not a part while its model writes it, and calls within keep their ids', async () => {
  const clock = fakeClock();
  const pause = {
    wait: async () => {
      await clock.timer(50);
      clock.advance(50);
    },
  };
  const fixture = subagentFixture(
    [[{ writes: 'research', id: 'r', input: '{"task"' }, pause, research('r')], done],
    [[{ writes: 'pay', id: 'p', input: '{"to"' }, pause, pay('p')], paid],
    { clock, release: 'progressive' },
  );
  const { say, answer, view } = fixture.chat();
  const first = await say('Go.');
  const started = first.flatMap((chunk) => (chunk.type === 'tool-input-start' ? [chunk.toolCallId] : []));
  expect(started).toEqual(['p']);
  const written = first.filter(({ type }) => type === 'data-tool-input');
  expect(new Set(JSON.stringify(written).match(/"toolCallId":"."/g))).toEqual(new Set(['"toolCallId":"r"']));
  await answer(questionIn(first), true);
  expect((await view()).messages.at(-1)?.parts.filter((part) => 'toolCallId' in part)).toMatchObject([
    { toolCallId: 'p', state: 'output-available' },
    { toolCallId: 'r', state: 'output-available' },
  ]);
});

it('tools of a subagent run no more at once than the flow allows', async () => {
  let running = 0;
  let most = 0;
  const slow = tool({
    inputSchema: bill,
    execute: async () => {
      running += 1;
      most = Math.max(most, running);
      // Every other call that can start has started.
      await untilIdle();
      running -= 1;
      return 'ok';
    },
  });
  const settings = { agent: { tools: { pay: slow } as ToolSet }, toolCallConcurrency: 1 };
  const fixture = subagentFixture([toResearch, done], [[pay('p'), pay('q')], paid], settings);
  await fixture.chat().say('Go.');
  expect(most).toBe(1);
  expect(z.array(z.unknown()).parse(resultOf(fixture, 1))).toHaveLength(1);
});
