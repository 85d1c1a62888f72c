import { generateText, type ToolSet, tool } from 'ai';
import { createApprovalFlow, type ToolDetails } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { type ScriptedStep, scriptedModel } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { openDemoMcp } from '../../app/_mcp/client.ts';
import { adr } from '../support/adr.ts';
import { countingTools, flowFixture, questionIn, types } from '../support/flow-fixture.ts';
import { withDetails } from './rejected/awaiting-wrapper.ts';

const { clause } = adr('0007-tool-details-beside-tools.md');

const onePayment: ScriptedStep[] = [
  [{ call: 'pay', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'Paid.' }],
];

const paying: ToolDetails = {
  describe: ({ to, amount }: { to: string; amount: number }) => `Pay ${amount} to ${to}.`,
  summarize: ({ paid }: { paid: number }) => ({ summary: `${paid} paid`, resultCount: 7 }),
  risk: 'high',
};

clause('0007.1', async () => {
  const { tools, ran } = countingTools();
  for (const each of Object.values(tools)) Object.freeze(each);
  Object.freeze(tools);
  const { flow, say, answer } = flowFixture(onePayment, {
    tools: tools as ToolSet,
    toolDetails: { pay: paying },
  });
  await answer(questionIn(await say('Go.')), true);
  expect(ran).toHaveLength(1);
  await flow.close();

  const { toolCalls } = await generateText({ model: scriptedModel(onePayment), tools, prompt: 'Go.' });
  expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['pay']);
});

clause('0007.2', async () => {
  const { flow, say, answer } = flowFixture(onePayment, { toolDetails: { pay: paying } });
  const asked = await say('Go.');
  expect(asked.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
    approvalDescriptor: { description: 'Pay 30 to Alice.', risk: 'high' },
  });
  const answered = await answer(questionIn(asked), true);
  expect(answered).toContainEqual(
    expect.objectContaining({
      type: 'data-tool-lifecycle',
      data: expect.objectContaining({ phase: 'completed', summary: '30 paid', resultCount: 7 }),
    }),
  );
  await flow.close();
});

clause('0007.3', async () => {
  const mcp = await openDemoMcp();
  const { flow, say, answer } = flowFixture(
    [[{ call: 'multiply', input: { a: 5, b: 4 } }], [{ text: 'Twenty.' }]],
    {
      tools: mcp.tools as ToolSet,
      toolApproval: { multiply: 'user-approval' },
      toolDetails: {
        multiply: { risk: 'low', describe: ({ a, b }: { a: number; b: number }) => `Take ${a} times ${b}.` },
      },
    },
  );
  const asked = await say('multiply 5 and 4');
  expect(asked.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
    approvalDescriptor: { description: 'Take 5 times 4.', risk: 'low' },
  });
  const answered = await answer(questionIn(asked), true);
  expect(answered.find(({ type }) => type === 'tool-output-available')).toMatchObject({ output: '20' });
  await flow.close();
  await mcp.close();
});

clause('0007.4', async () => {
  const { pay } = countingTools().tools;
  const misspelt = () =>
    createApprovalFlow({
      model: scriptedModel([]),
      store: sqliteStore({ path: ':memory:' }),
      tools: { pay },
      toolDetails: {
        pay: paying,
        // @ts-expect-error there is no tool of that name
        pray: { risk: 'low' },
      },
    });
  expect(misspelt).toThrow(
    expect.objectContaining({
      code: 'invalid-settings',
      fields: { path: 'toolDetails.pray', nearest: 'pay' },
    }),
  );

  const inherited = flowFixture(onePayment, { toolDetails: Object.create({ pay: paying }) });
  const asked = await inherited.chat().say('Go.');
  const request = asked.find(({ type }) => type === 'tool-approval-request');
  expect(request).toMatchObject({ approvalDescriptor: { description: 'Run pay.' } });
  expect(JSON.stringify(request)).not.toContain('"risk"');
  await inherited.flow.close();
});

clause('0007.5', async () => {
  const fail = () => {
    throw new Error('No words.');
  };
  const broken: ToolDetails = { describe: fail, summarize: fail };
  for (const [title, description] of [
    ['Payment', 'Payment'],
    [undefined, 'Run pay.'],
  ]) {
    const { flow, ran, say, answer } = flowFixture(onePayment, {
      toolDetails: { pay: { ...broken, title } },
    });
    const asked = await say('Go.');
    expect(asked.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { description },
    });
    expect(types(await answer(questionIn(asked), true))).toContain('tool-output-available');
    expect(ran).toHaveLength(1);
    await flow.close();
  }
});

clause('0007.6', async () => {
  const counting = tool({
    inputSchema: z.object({}),
    execute: async function* () {
      yield 'one';
      yield 'two';
    },
  });
  const { theme } = countingTools().tools;
  const script: ScriptedStep[] = [[{ call: 'counting' }, { call: 'theme' }], [{ text: 'Done.' }]];
  const outcomesWith = async (tools: ToolSet) => {
    const { flow, chat, say, events } = flowFixture(script, { tools });
    await say('Go.');
    const outputs = (await events()).flatMap((event) =>
      event.type === 'tool-completed' ? [event.output] : [],
    );
    const status = (await chat().view()).run.status;
    await flow.close();
    return { outputs, status };
  };

  expect(await outcomesWith({ counting, theme })).toEqual({ outputs: ['two'], status: 'waiting' });
  const wrapped = { counting: withDetails(counting, {}), theme: withDetails(theme, {}) };
  expect(await outcomesWith(wrapped)).toEqual({
    outputs: expect.arrayContaining([{}, null]),
    status: 'idle',
  });
});

clause('0007.7', async () => {
  const errorOf = async (thrown: unknown, query: string, details: ToolDetails = {}) => {
    const find = tool({
      inputSchema: z.object({ query: z.string().min(1, 'Query cannot be empty') }),
      execute: async (): Promise<string> => {
        throw thrown;
      },
    });
    const script: ScriptedStep[] = [[{ call: 'find', input: { query } }], [{ text: 'Done.' }]];
    const { flow, say, events } = flowFixture(script, { tools: { find }, toolDetails: { find: details } });
    await say('Go.');
    const failed = (await events()).find((event) => event.type === 'tool-failed');
    await flow.close();
    return failed?.type === 'tool-failed' ? failed.error : undefined;
  };

  expect(await errorOf(new Error(), '')).toBe('Query cannot be empty');
  const internal = new Error("open '/srv/app/index.json'\n    at find (/srv/app/find.js:3:7)");
  expect(await errorOf(internal, 'blue')).toBe("open '[path]'");
  expect(await errorOf(new TypeError('fetch failed'), 'blue')).toBe('The service could not be reached.');
  const describeError = () => 'The search is closed.';
  expect(await errorOf(internal, 'blue', { describeError })).toBe('The search is closed.');
});
