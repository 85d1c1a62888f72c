import { describe, expect, it } from 'vitest';
import { emptySocketTurn, reduceSocketFrame } from '../../../lib/plugins/chat-socket/client/reducer.ts';
import { createChatSocketProjection } from '../../../lib/plugins/chat-socket/projection.ts';
import { storedConversation } from '../../../lib/plugins/tool-events/stored-conversation.ts';
import { type ChatId, type FlowEvent, parseToolCallId } from '../../../lib/protocol/index.ts';
import { createEngine } from '../../../lib/run/engine.ts';
import { type OutcomeReport, resolveOutcome } from '../../../lib/run/outcomes/record-outcome.ts';
import { project } from '../../../lib/views/reader/projection.ts';
import { withResolvedEnds } from '../../../lib/views/reader/resolved-ends.ts';
import { timelineOf } from '../../../lib/views/timeline/timeline.ts';
import { acting } from '../../support/acting-tool.ts';
import { messageOf, plain } from '../../support/client-message.ts';

const timedOut = () => {
  throw Object.assign(new Error('The request timed out.'), { code: 'ETIMEDOUT' });
};
const bo = { id: 'bo', name: 'Bo' };

/** A chat with one gated call, `act`, of unknown outcome, and an engine to say what became of it. */
async function unknownCall(execute: () => unknown = timedOut) {
  const fixture = acting(execute, { gated: true });
  await fixture.run();
  const { store, clock } = fixture;
  const engine = createEngine(
    { store, model: fixture.model },
    { clock, logger: { warn: () => {}, error: () => {} }, random: () => 'another' },
  );
  const [requested] = (await fixture.events()).filter(({ type }) => type === 'tool-requested');
  const toolCallId = requested?.type === 'tool-requested' ? requested.toolCallId : parseToolCallId('none');
  const report = (more: Partial<OutcomeReport>) =>
    resolveOutcome(engine, {
      chatId: fixture.id,
      toolCallId,
      source: 'person',
      outcome: 'completed',
      ...more,
    });
  return { ...fixture, engine, toolCallId, report };
}

const resolvedIn = (log: readonly FlowEvent[]) => log.filter(({ type }) => type === 'outcome-resolved');

describe('who may report an unknown outcome', () => {
  it('of people and lookups, the first report counts', async () => {
    const { report, events } = await unknownCall();
    expect(await report({ by: bo, note: 'It is on the statement.' })).toMatchObject({ type: 'resolved' });
    expect(await report({ outcome: 'not-run', by: { id: 'cy', name: 'Cy' } })).toMatchObject({
      type: 'standing',
      call: { resolved: { outcome: 'completed', by: bo } },
    });
    expect(await report({ source: 'lookup', outcome: 'failed' })).toMatchObject({ type: 'standing' });
    expect(resolvedIn(await events())).toHaveLength(1);
  });

  it('of two reports at the same moment, one is recorded, and both callers learn which', async () => {
    const { report, events } = await unknownCall();
    const results = await Promise.all([report({ by: bo }), report({ outcome: 'not-run', by: bo })]);
    expect(results.map(({ type }) => type).toSorted()).toEqual(['resolved', 'standing']);
    expect(resolvedIn(await events())).toHaveLength(1);
  });

  it('a report by the process that ran the call overrides all others', async () => {
    const { id, events, report, view } = await unknownCall();
    await report({ outcome: 'not-run', by: bo });
    expect(
      await report({
        source: 'late',
        output: { paid: 5 },
        modelOutput: { type: 'json', value: { paid: 5 } },
      }),
    ).toMatchObject({ type: 'resolved' });
    expect(await report({ outcome: 'failed', by: bo })).toMatchObject({ type: 'standing' });
    expect(await report({ source: 'late', outcome: 'failed' })).toMatchObject({ type: 'standing' });
    expect((await view()).messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({ state: 'output-available', output: { paid: 5 } }),
    );
    expect(timelineOf(id, await events()).spans).toContainEqual(
      expect.objectContaining({ state: 'completed', output: { paid: 5 } }),
    );
  });

  it('no one, if the outcome is known or there is no such call', async () => {
    const { report, events } = await unknownCall(() => 'a result');
    expect(await report({ outcome: 'not-run', by: bo })).toMatchObject({ type: 'known' });
    expect(await report({ toolCallId: parseToolCallId('nothing') })).toEqual({ type: 'no-such-call' });
    expect(await report({ chatId: 'elsewhere' as ChatId })).toEqual({ type: 'no-such-call' });
    expect(resolvedIn(await events())).toEqual([]);
  });
});

describe('readers of a call with a late outcome', () => {
  const cases: [string, Partial<OutcomeReport>, { said: string; part: object; span: object }][] = [
    [
      'it ran',
      { outcome: 'completed', note: 'It is on the statement.' },
      {
        said: 'Bo checked and reports: it ran. It is on the statement.',
        part: { state: 'output-available' },
        span: { state: 'completed' },
      },
    ],
    [
      'it did not run',
      { outcome: 'not-run' },
      {
        said: 'Bo checked and reports: it did not run.',
        part: { state: 'output-error', errorText: 'The call did not run.' },
        span: { state: 'cancelled' },
      },
    ],
    [
      'it failed',
      { outcome: 'failed', error: 'The account is closed.' },
      {
        said: 'Bo checked and reports: it failed. The account is closed.',
        part: { state: 'output-error', errorText: 'The account is closed.' },
        span: { state: 'failed', error: 'The account is closed.' },
      },
    ],
  ];

  it.each(cases)(
    '%s: the model, the stored and the streamed message and the timeline agree',
    async (_, outcome, expected) => {
      const { report, say, view, resume, events, model, id } = await unknownCall();
      await report({ by: bo, ...outcome });
      const { messages } = await view();
      const part = messages.at(-1)?.parts.find((candidate) => 'toolCallId' in candidate);
      expect(part).toMatchObject({
        ...expected.part,
        toolMetadata: { countersign: { resolved: { source: 'person', by: bo } } },
      });
      expect(JSON.stringify(part)).not.toContain('outcome-unknown');
      expect(await messageOf((await resume()) ?? [])).toEqual(plain(messages.at(-1)));
      const { spans } = timelineOf(id, await events());
      expect(spans.find(({ kind }) => kind === 'tool')).toMatchObject({
        ...expected.span,
        resolved: { by: bo },
      });

      await say('What now?');
      const prompt = JSON.stringify(model.calls.at(-1)?.prompt);
      expect(prompt).toContain(expected.said);
      expect(prompt).not.toContain('outcome-unknown');
    },
  );

  it('stored conversations and results of other protocols contain only the known outcome', async () => {
    const { report, events, id, toolCallId } = await unknownCall();
    expect(JSON.stringify(storedConversation(await events(), id))).toContain('outcome-unknown');
    const result = { source: 'late', output: ['a row'], summary: '1 row', resultCount: 1 } as const;
    await report({ ...result, modelOutput: { type: 'json', value: ['a row'] } });
    const log = await events();
    const stored = JSON.stringify(storedConversation(log, id));
    expect(stored).toContain('1 row');
    expect(stored).not.toContain('outcome-unknown');
    const ends = withResolvedEnds(log).filter((event) => event.type === 'tool-completed');
    expect(ends).toMatchObject([{ toolCallId, output: ['a row'] }]);
    expect(withResolvedEnds(log).some(({ type }) => type === 'outcome-resolved')).toBe(false);
  });

  it('an open socket gets another end, which its reducer puts in the place of the error', async () => {
    const { report, events, id, toolCallId } = await unknownCall();
    await report({ source: 'late', output: ['a row'], modelOutput: { type: 'json', value: ['a row'] } });
    const settings = { conversationId: id, maxResultBytes: 1_000, streamsResults: false };
    const frames = project(createChatSocketProjection(settings), await events());
    const turn = frames.reduce((state, frame) => reduceSocketFrame(state, frame as never), emptySocketTurn);
    const call = turn.calls.get(toolCallId);
    expect(call).toMatchObject({ status: 'completed', result: expect.stringContaining('a row') });
    expect(call?.error).toBeUndefined();
  });
});
