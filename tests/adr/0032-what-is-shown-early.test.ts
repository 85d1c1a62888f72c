import type { UIMessageChunk } from 'ai';
import { checkResponseTiming, type ScriptedPart, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import type { FlowSettings } from '../../lib/flow/index.ts';
import { createFinalChunks } from '../../lib/views/chunks/final.ts';
import { uiMessageChunks } from '../../lib/views/index.ts';
import { project } from '../../lib/views/reader/projection.ts';
import { adr } from '../support/adr.ts';
import { barrier } from '../support/barrier.ts';
import { messageOf, plain } from '../support/client-message.ts';
import { flowFixture, lasting, questionIn, types, userMessage } from '../support/flow-fixture.ts';

const { clause } = adr('0032-what-is-shown-early.md');

const pay = (to: string) => ({ call: 'pay', input: { to, amount: 30 } });
const script: ScriptedStep[] = [
  [{ text: 'Looking. ' }, { call: 'weather', input: { city: 'Rome' } }],
  [{ text: 'Sunny. ' }, pay('Alice')],
  [{ text: 'And Bob. ' }, pay('Bob')],
  [{ text: 'Done.' }],
];
const release = 'hold-after-question';
const proseOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
const outcomesIn = (chunks: readonly UIMessageChunk[]) =>
  types(chunks).filter((type) => type === 'tool-output-available').length;

clause('0032.1', async () => {
  const { flow, say, answer } = flowFixture(script, { release });
  const first = await say('Go.');
  const second = await answer(questionIn(first), true);
  const last = await answer(questionIn(second), true);
  expect(checkResponseTiming([first, second, last], { release, finished: true })).toEqual([]);
  expect([first, second, last].map(proseOf)).toEqual(['Looking. Sunny. ', '', 'And Bob. Done.']);
  expect([first, second, last].map(outcomesIn)).toEqual([1, 0, 2]);
  await flow.close();
});

clause('0032.2', async () => {
  const { flow, store, say, answer, id } = flowFixture(script, { release });
  const first = await say('Go.');
  const last = await answer(questionIn(await answer(questionIn(first), true)), true);
  const starts = [first, last].map((chunks) => lasting(chunks).filter(({ type }) => type === 'text-start'));
  expect(new Set(starts.flat().map((chunk) => ('id' in chunk ? chunk.id : ''))).size).toBe(4);

  // Rejected: the turn is `final` from its question on, for a reader that begins there.
  const events = await store.events.read(id, 0);
  const emitFrom = events.find(({ type }) => type === 'approval-answered')?.seq ?? 0;
  const view = {
    chat: { id, ownerId: 'ada' },
    emitFrom,
    replay: false,
    rights: () => ({ mayAnswer: true, mayEdit: true, mayRemember: true }),
  };
  const again = project(createFinalChunks(view), events, view);
  expect(proseOf(again)).toBe('Looking. Sunny. And Bob. Done.');
  expect(outcomesIn(again)).toBe(3);
  await flow.close();
});

clause('0032.3', async () => {
  const { flow, say, answer, stop, view } = flowFixture(script, { release });
  await answer(questionIn(await say('Go.')), true);
  expect((await view()).draft).toBe('And Bob. ');
  await stop();
  const { messages, draft } = await view();
  const parts = messages.at(-1)?.parts ?? [];
  expect(draft).toBeUndefined();
  expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([
    ...['Looking. ', 'Sunny. ', 'And Bob. '],
  ]);
  expect(parts.flatMap((part) => ('toolCallId' in part ? [part.state] : []))).toEqual([
    ...['output-available', 'output-available', 'output-denied'],
  ]);
  await flow.close();
});

const sky = JSON.stringify({ city: 'Rome' });

/** A turn that waits while the model writes a call. @param end what the model does then */
async function writing(settings: Partial<FlowSettings>, ...end: ScriptedPart[]) {
  const { wait, lift } = barrier();
  const begun: ScriptedPart[] = [{ text: 'Looking. ' }, { writes: 'weather', id: 'c1', input: sky }];
  const { flow, store, ask, id, view } = flowFixture(
    [[...begun, { wait }, ...end], [{ text: 'Done.' }]],
    settings,
  );
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of uiMessageChunks(await ask({ message: userMessage('u1', 'Go.') }))) {
    chunks.push(chunk);
    if (chunk.type === 'data-tool-input' || chunk.type === 'tool-input-start') lift();
  }
  const log = await store.events.read(id, 0);
  const { messages } = await view();
  await flow.close();
  return { chunks, log, stored: messages.at(-1) };
}

const made: ScriptedPart = { call: 'weather', id: 'c1', input: { city: 'Rome' } };

clause('0032.4', async () => {
  const inFinal = await writing({}, made);
  const { chat, flow } = flowFixture([[{ text: 'Looking. ' }, made], [{ text: 'Done.' }]]);
  expect(types(inFinal.chunks)).toEqual(types(await chat().say('Go.')));
  expect(inFinal.chunks.some(({ type }) => type === 'data-tool-input')).toBe(true);
  await flow.close();

  const live = await writing({ release: 'progressive' }, made);
  const ofCall = types(live.chunks).filter((type) => type.startsWith('tool-'));
  expect(ofCall).toEqual([
    ...['tool-input-start', 'tool-input-delta', 'tool-input-available', 'tool-output-available'],
  ]);
  expect(await messageOf(live.chunks)).toEqual(plain(live.stored));
});

clause('0032.5', async () => {
  const gated = await writing({ release: 'progressive', toolApproval: { weather: () => undefined } }, made);
  expect(types(gated.chunks)).not.toContain('tool-input-delta');
  const secrets = { input: ['city'], output: [''] };
  const secret = await writing({ release: 'progressive', toolDetails: { weather: { secrets } } }, made);
  expect(types(secret.chunks)).toContain('tool-input-start');
  expect(JSON.stringify(secret.chunks)).not.toContain('Rome');
  const early = secret.log.filter(({ type }) => type === 'tool-input-delta');
  expect(early).toMatchObject([{ toolName: 'weather', delta: '' }]);
});

clause('0032.6', async () => {
  const { chunks, stored } = await writing({ release: 'progressive' }, { text: 'Rather not.' });
  const message = await messageOf(chunks);
  expect(types(chunks)).toContain('reset-step');
  expect(message.parts.map(({ type }) => type)).toEqual(['step-start', 'text', 'text']);
  expect(plain(stored)).toEqual(message);

  // Rejected: the part stays, as in the SDK's own stream.
  const reset = chunks.findIndex(({ type }) => type === 'reset-step');
  const left = await messageOf([...chunks.slice(0, reset), { type: 'finish-step' }, { type: 'finish' }]);
  const call = left.parts.find(({ type }) => type === 'tool-weather');
  expect(call).toMatchObject({ state: 'input-streaming' });
});
