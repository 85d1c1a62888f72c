import type { ToolSet, UIMessageChunk } from 'ai';
import { checkResponseTiming, collect, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { parseApprovalId, parseToolCallId } from '../../../lib/protocol/index.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import {
  countingTools,
  flowFixture,
  framed,
  questionIn,
  questionTypes,
  textTypes,
  types,
} from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };
const data = (chunks: readonly UIMessageChunk[], type: `data-${string}`) =>
  chunks.flatMap((chunk) => (chunk.type === type && 'data' in chunk ? [chunk] : []));
const silent = { warn: () => {}, error: () => {} };

describe('turns without questions [T10]', () => {
  const harmless = () => ({ weather: countingTools().tools.weather }) as ToolSet;

  it('streams the text of an agent that can never ask as it is generated [T10]', async () => {
    const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
    const { chat } = flowFixture([[{ text: 'Hello, ' }, { wait: more }, { text: 'Ada.' }]], {
      tools: harmless(),
    });
    const stream = uiMessageChunks(await chat().ask({ message: { id: 'u1' as never, parts: [] } }));
    const reader = stream.getReader();
    const seen: string[] = [];
    while (!seen.includes('text-delta')) seen.push((await reader.read()).value?.type ?? 'end');
    goOn();
    reader.releaseLock();
    const rest = await collect(stream);
    expect(seen).toEqual(['start', 'start-step', 'text-start', 'text-delta']);
    expect(rest.at(-1)).toMatchObject({ type: 'finish' });
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['no tools at all', { tools: {} }, true],
    ['a tool that says it needs no approval', { tools: harmless() }, true],
    ['a map that only approves', { tools: harmless(), toolApproval: { weather: 'approved' } }, true],
    ['a map that switches a tool’s own question off', { toolApproval: offByMap() }, true],
    ['a tool that needs approval', {}, false],
    ['a map with a function', { tools: harmless(), toolApproval: { weather: () => undefined } }, false],
    ['one function for all', { tools: harmless(), toolApproval: () => undefined }, false],
  ])('with %s, live text is %s [T10]', async (_case, settings, live) => {
    const { chat } = flowFixture([[{ text: 'Hello.' }]], settings);
    const response = await chat().say('Hi.');
    expect(data(response, 'data-draft').length === 0).toBe(live);
  });

  function offByMap() {
    return { pay: 'approved', search: 'approved', locate: 'not-applicable' };
  }
});

describe('progressive release [T11]', () => {
  it('sends text and outcomes as they happen, the question last [T11]', async () => {
    const { say, answer } = flowFixture([[{ text: 'Looking. ' }, weather, pay(1)], [{ text: 'Paid.' }]], {
      release: 'progressive',
    });
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(checkResponseTiming([first, second], { release: 'progressive', finished: true })).toEqual([]);
    expect(types(first)).toEqual(
      framed(
        ...textTypes,
        'tool-input-start',
        'tool-input-available',
        'tool-output-available',
        ...questionTypes,
      ),
    );
    expect(types(second)).toEqual(
      framed('tool-approval-response', 'tool-output-available', 'finish-step', 'start-step', ...textTypes),
    );
    expect(data(first, 'data-draft')).toEqual([]);
  });
});

describe('no response is empty [T15]', () => {
  it.each<[string, ScriptedPart[]]>([
    ['nothing at all', []],
    ['nothing but reasoning', [{ reasoning: 'Hm.' }]],
    ['an empty text', [{ text: '' }]],
    ['no finish', [{ finish: 'never' }]],
  ])('a provider that returns %s ends in one error chunk [T15]', async (_case, step) => {
    const { say, view } = flowFixture([step], { logger: silent });
    const response = await say('Go.');
    expect(checkResponseTiming([response], { finished: true })).toEqual([]);
    expect(types(response).filter((type) => type === 'error')).toHaveLength(1);
    expect(response.at(-1)).toMatchObject({ type: 'error' });
    expect((await view()).run.status).toBe('failed');
  });

  it.each([
    ['hold-after-question', 'error'],
    ['final', 'finish'],
  ] as const)('what was sent before does not count, with release %s [T15, T17]', async (release, last) => {
    const script: ScriptedPart[][] = [[weather, { call: 'locate', id: 'here' }], []];
    const { say, answers } = flowFixture(script, { release, logger: silent });
    const first = await say('Go.');
    const id = parseToolCallId('here');
    const approval = { approvalId: parseApprovalId(questionIn(first)), approved: true };
    const second = await answers([approval], [{ toolCallId: id, output: { lat: 1 } }]);
    expect(second.at(-1)?.type).toBe(last);
    const options = { release, clientTools: ['locate'], finished: true };
    expect(checkResponseTiming([first, second], options)).toEqual([]);
  });

  it('releases what was withheld before the error [T15]', async () => {
    const { say, answer } = flowFixture(
      [[{ text: 'Paying.' }, pay(1)], [{ reject: new Error('The vendor is down.') }]],
      { logger: silent },
    );
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(checkResponseTiming([first, second], { finished: true })).toEqual([]);
    expect(types(second)).toEqual([
      'start',
      'start-step',
      'tool-approval-response',
      'text-start',
      'text-delta',
      'text-end',
      'tool-output-available',
      'finish-step',
      'error',
    ]);
  });
});
