import { type ToolSet, tool } from 'ai';
import type { AgentSettings, FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { deploys } from '../../support/deploys.ts';
import { questionIn } from '../../support/flow-fixture.ts';
import { bill, pay, research, researchTool, subagentFixture } from '../../support/subagent-fixture.ts';

const toResearch = [research('r')];
const done = [{ text: 'Done.' }];
const paid = [{ text: 'Paid.' }];
const bob = { id: 'bob', name: 'Bob' };
const logger = { warn: () => {}, error: () => {} };

type Settings = Partial<FlowSettings> & { agent?: Partial<AgentSettings> };

describe('a question within a subagent is bound to the policy of its own tool [ADR 0020, ADR 0035]', () => {
  /** Two deployments on one database. The question of the first is answered in the second. */
  async function answered(old: Settings, next: Settings) {
    const { path } = deploys();
    const clock = fakeClock();
    const deploy = (script: ScriptedStep[], agentScript: ScriptedStep[], settings: Settings) =>
      subagentFixture(script, agentScript, { store: sqliteStore({ path }), clock, ...settings });
    const one = deploy([toResearch], [[pay('p')]], old);
    const id = questionIn(await one.chat().say('Go.'));
    await one.flow.close();
    const two = deploy([done], [paid], next);
    await two.chat().answer(id, true);
    const { questions } = await two.chat().view();
    return { id, ran: two.agentRan, states: questions.map(({ state }) => state) };
  }

  it.each([
    ['it asks for another reason', { type: 'user-approval', reason: 'New rule.' }, ['tool-changed', 'open']],
    ['it denies the call', 'denied', ['tool-changed']],
  ])('an approval has no effect when %s', async (_what, policy, states) => {
    const before = { agent: { toolApproval: { pay: 'user-approval' } as never } };
    const after = { agent: { toolApproval: { pay: policy } as never } };
    expect(await answered(before, after)).toMatchObject({ ran: [], states });
  });

  it('an approval counts when only the policy of the flow changes', async () => {
    const { ran, states } = await answered({}, { toolApproval: () => undefined });
    expect(ran).toMatchObject([{ tool: 'pay' }]);
    expect(states).toEqual(['approved']);
  });
});

describe('rules of a subagent’s own tools [ADR 0015, ADR 0035]', () => {
  const approvers = { toolDetails: { pay: { approvers: ({ id }: { id: string }) => id === bob.id } } };

  it('approvers without access to the chat see its question', async () => {
    const { chat, flow } = subagentFixture([toResearch], [[pay('p')]], { agent: approvers });
    const { items: before } = await flow.approvals.list({ principal: bob, state: 'open' });
    const fed = (await flow.approvals.feed({ principal: bob })).changes.getReader().read();
    const id = questionIn(await chat().say('Go.'));
    const { items } = await flow.approvals.list({ principal: bob, state: 'open' });
    expect(before).toEqual([]);
    expect(items).toMatchObject([{ id, toolName: 'research/pay', mayAnswer: true }]);
    await flow.close();
    expect(JSON.stringify(await fed)).toContain(id);
  });

  it('approvers may record the outcome of a call within', async () => {
    const lost = Object.assign(new Error('Lost.'), { code: 'ECONNRESET' });
    const losing = tool({
      inputSchema: bill,
      needsApproval: true,
      execute: (): Promise<string> => Promise.reject(lost),
    });
    const agent = { ...approvers, tools: { pay: losing } as ToolSet };
    const { flow, store, say, id, resume } = subagentFixture([toResearch, done], [[pay('p')], paid], {
      agent,
      logger,
    });
    const approvalId = parseApprovalId(questionIn(await say('Go.')));
    await flow.approvals.answer({ approvalId, principal: bob, approved: true, via: 'test' });
    await resume();
    const log = await store.events.read(id, 0);
    const unknown = log.find((event) => event.type === 'tool-failed' && event.toolCallId === 'p');
    expect(unknown).toMatchObject({ outcome: 'unknown' });
    const toolCallId = 'p' as never;
    const resolved = flow.approvals.resolveOutcome({
      chatId: id,
      toolCallId,
      principal: bob,
      outcome: 'completed',
    });
    expect(await resolved).toMatchObject({ outcome: 'completed' });
  });
});

describe('subagents that `prepareCall` returns [ADR 0030, ADR 0035]', () => {
  const { tools: others } = researchTool([paid]);
  const returning = (more: ToolSet): Settings => ({
    logger,
    prepareCall: ({ tools, ...rest }) => ({ ...rest, tools: { ...tools, ...more } }) as never,
  });

  it.each([
    ['a subagent that the flow does not have', { other: others.research }, 'tools.other'],
    ['another subagent of the same name', others, 'tools.research'],
  ])('refuses %s', async (_what, more, path) => {
    const messages: unknown[] = [];
    const settings = { ...returning(more as ToolSet), logger: { ...logger, error: logged } };
    function logged(_message: string, fields?: object) {
      messages.push(fields);
    }
    const { chat, model } = subagentFixture([toResearch], [], settings);
    await chat()
      .say('Go.')
      .catch((error: unknown) => messages.push(String(error)));
    expect(model.calls).toEqual([]);
    expect(JSON.stringify(messages)).toContain(path);
  });

  it('accepts a copy of a subagent of the flow', async () => {
    const { agentRan, say, answer } = subagentFixture([toResearch, done], [[pay('p')], paid], {
      prepareCall: ({ tools, ...rest }) =>
        ({ ...rest, tools: { research: { ...tools?.research, description: 'Researches more.' } } }) as never,
    });
    await answer(questionIn(await say('Go.')), true);
    expect(agentRan).toMatchObject([{ tool: 'pay' }]);
  });
});
