import type { FlowPlugin, PluginParts, Principal } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { expect, onTestFinished } from 'vitest';
import { adr } from '../support/adr.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';

const { clause } = adr('0056-a-kernel-and-plugins.md');

type Greetings = { greet(request: { principal: Principal }): string };

/** A plugin that says who asks, as a method and at an endpoint. */
function greetings(parts: Partial<PluginParts<Greetings>> = {}): FlowPlugin<'greetings', Greetings> {
  return {
    name: 'greetings',
    setUp: () => ({
      methods: { greet: ({ principal }) => `Hello, ${principal.id}.` },
      endpoints: (route) => [
        { path: '/greetings', methods: { GET: route(async ({ principal }) => Response.json(principal.id)) } },
      ],
      ...parts,
    }),
  };
}

function flowWith<const Plugins extends readonly FlowPlugin[]>(
  plugins: Plugins,
  settings: Parameters<typeof flowFixture>[1] = {},
) {
  const fixture = flowFixture([[{ text: 'Hello.' }]], { ...settings, plugins });
  onTestFinished(() => fixture.flow.close());
  return fixture;
}

const get = (flow: Parameters<typeof createFetchHandler>[0]) =>
  createFetchHandler(flow, { authorize: () => ada })(new Request('http://localhost/api/greetings'));

clause('0056.1', async () => {
  const { flow } = flowWith([greetings()]);
  expect(flow.greetings.greet({ principal: ada })).toBe('Hello, ada.');
  expect(await (await get(flow)).json()).toBe('ada');
  const without = flowWith([]).flow;
  expect(without).not.toHaveProperty('greetings');
  expect((await get(without)).status).toBe(404);
});

clause('0056.2', () => {
  expect(() => flowWith([greetings(), greetings()])).toThrow('Two plugins have the name `greetings`.');
  const other = { ...greetings(), name: 'other' } as const;
  const { flow } = flowWith([greetings(), other]);
  expect(() => createFetchHandler(flow, { authorize: () => ada })).toThrow('GET /greetings');
});

clause('0056.3', async () => {
  const warned: unknown[] = [];
  const swept: string[] = [];
  const failing = greetings({ sweep: () => Promise.reject(new Error('No.')) });
  const other = { ...greetings({ sweep: async () => void swept.push('other') }), name: 'other' } as const;
  const logger = { warn: (_: string, facts?: object) => warned.push(facts), error: () => {} };
  await flowWith([failing, other], { logger }).flow.recover();
  expect(swept).toEqual(['other']);
  expect(warned).toMatchObject([{ plugin: 'greetings' }]);
});

clause('0056.4', async () => {
  const { flow, id, say, view } = flowWith([
    greetings({ beforeErase: () => Promise.reject(new Error('Not yet.')) }),
  ]);
  await say('Hello.');
  await expect(flow.chats.erase({ chatId: id, principal: ada })).rejects.toThrow('Not yet.');
  expect((await view()).messages).toHaveLength(2);
});

clause('0056.5', async () => {
  const { flow } = flowWith([greetings()], { formerIds: { ada: 'ada@example.com' } });
  expect(flow.greetings.greet({ principal: ada })).toBe('Hello, ada@example.com.');
  expect(await (await get(flow)).json()).toBe('ada@example.com');
});
