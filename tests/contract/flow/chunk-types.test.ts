import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ToolSet, UIMessageChunk } from 'ai';
import { createApprovalFlow, type FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { collect, type ScriptedPart, type ScriptedStep } from 'countersign/testing';
import { uiMessageChunks } from 'countersign/views';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';

type Type = UIMessageChunk['type'];
type Settings = Partial<FlowSettings>;

const done: ScriptedStep = [{ text: 'Done.' }];
const weather: ScriptedPart = { call: 'weather', input: { city: 'Oslo' } };
const pay: ScriptedPart = { call: 'pay', input: { to: 'Alice', amount: 5 } };
const logger = { warn: () => {}, error: () => {} };

/** The chunk types of a turn: of the response to a message, and of the one to its answer. */
async function typesOf(script: ScriptedStep[], answer?: boolean, settings: Settings = {}): Promise<Type[]> {
  const { say, answer: respond } = flowFixture(script, { ...settings, logger });
  const first = await say('Go.');
  const rest = answer === undefined ? [] : await respond(questionIn(first), answer);
  return [...first, ...rest].map(({ type }) => type);
}

it.each<[type: Type, script: ScriptedStep[], answer?: boolean, settings?: Settings]>([
  ['start', [done]],
  ['start-step', [done]],
  ['text-start', [done]],
  ['text-delta', [done]],
  ['text-end', [done]],
  ['reasoning-start', [[{ reasoning: 'Hm.' }, ...done]]],
  ['reasoning-delta', [[{ reasoning: 'Hm.' }, ...done]]],
  ['reasoning-end', [[{ reasoning: 'Hm.' }, ...done]]],
  ['source-url', [[{ source: { url: 'https://a.test' } }, ...done]]],
  ['file', [[{ file: { mediaType: 'text/plain', base64: 'QQ==' } }, ...done]]],
  ['tool-input-start', [[weather], done]],
  ['tool-input-available', [[weather], done]],
  ['tool-input-error', [[{ call: 'weather', input: { town: 5 } }], done]],
  ['tool-approval-request', [[pay], done]],
  ['tool-approval-response', [[pay], done], true],
  ['tool-output-available', [[weather], done]],
  ['tool-output-error', [[{ call: 'fail' }], done], undefined, { tools: failing() }],
  ['tool-output-denied', [[pay], done], false],
  ['finish-step', [done]],
  ['finish', [done]],
  ['error', [[{ reject: new Error('down') }]]],
])('a flow sends %s', async (type, script, answer, settings) => {
  expect(await typesOf(script, answer, settings)).toContain(type);
});

it.each<[type: Type]>([['message-metadata'], ['steering-message']])(
  'a flow does not send %s',
  async (type) => {
    for (const release of ['final', 'progressive'] as const) {
      expect(await typesOf([[weather, pay], done], true, { release })).not.toContain(type);
    }
  },
);

/** A model that answers with these parts, and then with text. */
function modelOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4 & { prompts: unknown[] } {
  const { model } = flowFixture([done, done]);
  const prompts: unknown[] = [];
  return {
    ...model,
    prompts,
    async doStream(options) {
      prompts.push(options.prompt);
      const { stream, ...rest } = await model.doStream(options);
      const added = prompts.length > 1 ? [] : parts;
      const whole = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          controller.enqueue(part);
          if (part.type === 'stream-start') for (const extra of added) controller.enqueue(extra);
        },
      });
      return { ...rest, stream: stream.pipeThrough(whole) };
    },
  };
}

/** The chunk types of two turns with a model, which gets the first turn's response in the second. */
async function typesWith(model: LanguageModelV4): Promise<string[]> {
  const flow = createApprovalFlow({ model, store: sqliteStore({ path: ':memory:' }) });
  const say = async (id: string) => {
    const request = {
      chatId: parseChatId('chat'),
      principal: ada,
      via: 'test',
      message: userMessage(id, 'Hi.'),
    };
    return collect(uiMessageChunks(await flow.chats.respond({ ...request, trigger: 'submit-message' })));
  };
  const chunks = [...(await say('u1')), ...(await say('u2'))];
  await flow.close();
  return chunks.map(({ type }) => type);
}

it('a flow sends sources and files that the model cites and thinks with', async () => {
  const data = { type: 'data' as const, data: 'QQ==' };
  const model = modelOf([
    { type: 'source', sourceType: 'document', id: 's1', mediaType: 'text/plain', title: 'A' },
    { type: 'reasoning-file', mediaType: 'image/png', data },
  ]);
  expect(await typesWith(model)).toEqual(expect.arrayContaining(['source-document', 'reasoning-file']));
});

it('a flow does not send custom parts, and gives them back to the model', async () => {
  const model = modelOf([{ type: 'custom', kind: 'vendor.note' }]);
  expect(await typesWith(model)).not.toContain('custom');
  expect(JSON.stringify(model.prompts[1])).toContain('vendor.note');
});

function failing(): ToolSet {
  const execute = async () => {
    throw new Error('No line.');
  };
  return { fail: { inputSchema: z.object({}), execute } };
}
