import type { UIMessageChunk } from 'ai';
import { checkResponseTiming, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { createHeldChunks } from '../../lib/views/chunks/held.ts';
import { project } from '../../lib/views/reader/projection.ts';
import { adr } from '../support/adr.ts';
import { flowFixture, lasting, questionIn, types } from '../support/flow-fixture.ts';

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
  const { chat, flow } = flowFixture(script, { release });
  const { say, answer } = chat();
  const first = await say('Go.');
  const second = await answer(questionIn(first), true);
  const last = await answer(questionIn(second), true);
  expect(checkResponseTiming([first, second, last], { release, finished: true })).toEqual([]);
  expect([first, second, last].map(proseOf)).toEqual(['Looking. Sunny. ', '', 'And Bob. Done.']);
  expect([first, second, last].map(outcomesIn)).toEqual([1, 0, 2]);
  await flow.close();
});

clause('0032.2', async () => {
  const { chat, flow, store } = flowFixture(script, { release });
  const { say, answer, id } = chat();
  const first = await say('Go.');
  const last = await answer(questionIn(await answer(questionIn(first), true)), true);
  const starts = [first, last].map((chunks) => lasting(chunks).filter(({ type }) => type === 'text-start'));
  expect(new Set(starts.flat().map((chunk) => ('id' in chunk ? chunk.id : ''))).size).toBe(4);

  // Rejected: the turn is `final` from its question on, for a reader that begins there.
  const events = await store.read(id, 0);
  const emitFrom = events.find(({ type }) => type === 'approval-answered')?.seq ?? 0;
  const view = {
    chat: { id, ownerId: 'ada' },
    emitFrom,
    replay: false,
    rights: () => ({ mayAnswer: true, mayEdit: true, mayRemember: true }),
  };
  const again = project(createHeldChunks(view), events, view);
  expect(proseOf(again)).toBe('Looking. Sunny. And Bob. Done.');
  expect(outcomesIn(again)).toBe(3);
  await flow.close();
});

clause('0032.3', async () => {
  const { chat, flow } = flowFixture(script, { release });
  const { say, answer, stop, view } = chat();
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
