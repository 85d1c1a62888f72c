import { fakeClock } from 'countersign/testing';
import { type Timeline, type TimelineSpan, timelineOf } from 'countersign/views';
import { describe, expect, it } from 'vitest';
import { countingTools, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

const pay = { call: 'pay', input: { to: 'Alice', amount: 30 } } as const;

/** The spans as `kind state`, in the order in which they began. */
function told({ spans }: Timeline): string[] {
  return spans.map(({ kind, state }) => `${kind} ${state}`);
}

describe('timelineOf', () => {
  it('shows model, question and tool of each run, in one turn', async () => {
    const { id, say, answer, events } = flowFixture([[pay], [{ text: 'Paid.' }]]);
    const asked = questionIn(await say('Pay Alice.'));
    const waiting = timelineOf(id, await events());
    expect(told(waiting)).toEqual(['model completed', 'waiting open']);
    expect(waiting.status).toBe('waiting');
    await answer(asked, true, { reason: 'Fine.' });

    const timeline = timelineOf(id, await events());
    expect(told(timeline)).toEqual([
      'model completed',
      'waiting approved',
      'tool completed',
      'model completed',
    ]);
    expect(timeline).toMatchObject({ chatId: id, status: 'idle', turns: [{ turn: 1, text: 'Pay Alice.' }] });
    const [, question, tool, last] = timeline.spans;
    expect(question).toMatchObject({
      input: pay.input,
      answer: { approved: true, reason: 'Fine.', by: { id: 'ada', name: 'Ada' }, via: 'test' },
    });
    expect(tool).toMatchObject({ toolName: 'pay', input: pay.input, output: { paid: 30, to: 'Alice' } });
    expect(new Set(timeline.spans.map((span) => span.id)).size).toBe(4);
    expect(last?.runId).not.toBe(question?.runId);
    expect(timeline.spans.every(({ turn }) => turn === 1)).toBe(true);
  });

  it('measures how long each person was waited for, and the median', async () => {
    const clock = fakeClock();
    const calls = [10, 20, 30].map((amount) => ({ call: 'pay', input: { to: 'Alice', amount } }) as const);
    const { id, say, answer, events } = flowFixture([[...calls], [{ text: 'Done.' }]], { clock });
    let response = await say('Pay three times.');
    for (const [waitMs, approved] of [
      [1_000, true],
      [8_000, false],
      [3_000, true],
    ] as const) {
      clock.advance(waitMs);
      response = await answer(questionIn(response), approved);
    }
    expect(timelineOf(id, await events()).summary).toMatchObject({
      questions: 3,
      approved: 2,
      denied: 1,
      withdrawn: 0,
      medianWaitMs: 3_000,
      waitingMs: 12_000,
      calls: 2,
      failures: 0,
    });
  });

  it('shows a denied question once, without a tool that never ran', async () => {
    const { id, say, answer, events } = flowFixture([[pay], [{ text: 'Not paid.' }]]);
    await answer(questionIn(await say('Pay Alice.')), false);
    expect(told(timelineOf(id, await events()))).toEqual([
      'model completed',
      'waiting denied',
      'model completed',
    ]);
  });

  it('shows a question that a new message superseded, and counts the turns', async () => {
    const { id, say, events } = flowFixture([[pay], [{ text: 'Hello.' }]]);
    await say('Pay Alice.');
    await say('Never mind.');
    const timeline = timelineOf(id, await events());
    expect(told(timeline)).toEqual(['model completed', 'waiting superseded', 'model completed']);
    expect(timeline.turns.map(({ text }) => text)).toEqual(['Pay Alice.', 'Never mind.']);
    expect(timeline.spans.map(({ turn }) => turn)).toEqual([1, 1, 2]);
    expect(timeline.summary).toMatchObject({ questions: 1, denied: 0, withdrawn: 1 });
    expect(timeline.summary.medianWaitMs).toBeUndefined();
  });

  it('counts another answer to the same message as a separate turn', async () => {
    const { id, say, ask, events } = flowFixture([[{ text: 'Hello.' }], [{ text: 'Hi.' }]]);
    await say('Greet me.');
    const stream = await ask({ trigger: 'regenerate-message' });
    await stream.events.pipeTo(new WritableStream());
    const { turns, spans } = timelineOf(id, await events());
    expect(turns.map(({ text }) => text)).toEqual(['Greet me.', 'Greet me.']);
    expect(spans.map(({ turn }) => turn)).toEqual([1, 2]);
  });

  it('shows the pause before a retry, with the error that caused it', async () => {
    const { tools } = countingTools();
    let attempts = 0;
    const weather = {
      ...tools.weather,
      execute: async () => {
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error('The service is busy.'), { statusCode: 503 });
        return 'Sunny';
      },
    };
    const script = [[{ call: 'weather', input: { city: 'Oslo' } }], [{ text: 'Sunny.' }]];
    const { id, say, events } = flowFixture(script, {
      tools: { ...tools, weather },
      toolDetails: { weather: { idempotent: true } },
    });
    await say('How is Oslo?');
    const timeline = timelineOf(id, await events());
    expect(told(timeline)).toEqual([
      'model completed',
      'tool completed',
      'retry completed',
      'model completed',
    ]);
    expect(timeline.spans[2]).toMatchObject({ error: expect.stringContaining('busy') });
    expect(timeline.summary).toMatchObject({ retries: 1, calls: 1, failures: 0 });
  });

  it('shows the error of a failed tool and of a failed run', async () => {
    const { tools } = countingTools();
    const weather = { ...tools.weather, execute: async () => Promise.reject(new Error('No such city.')) };
    const script = [[{ call: 'weather', input: { city: 'Nowhere' } }], [{ text: 'Sorry.' }]];
    const { id, say, events } = flowFixture(script, { tools: { ...tools, weather } });
    await say('How is Nowhere?');
    const failed = timelineOf(id, await events()).spans.find(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ kind: 'tool', error: expect.stringContaining('No such city.') });
  });

  it('measures a client’s tool from its approval to its outcome', async () => {
    const clock = fakeClock();
    const { id, say, answer, output, events } = flowFixture(
      [[{ call: 'locate', input: {} }], [{ text: 'Here.' }]],
      { clock },
    );
    const asked = await say('Where am I?');
    clock.advance(2_000);
    await answer(questionIn(asked), true);
    clock.advance(500);
    const [call] = timelineOf(id, await events()).spans.filter(({ kind }) => kind === 'waiting');
    await output(call?.toolCallId ?? '', { lat: 1 });
    const spans = timelineOf(id, await events()).spans;
    const duration = (wanted: TimelineSpan['kind']) => spans.find(({ kind }) => kind === wanted)?.durationMs;
    expect(duration('waiting')).toBe(2_000);
    expect(duration('tool')).toBe(500);
  });

  it('is the same however often it is read, and keeps its spans when the log grows', async () => {
    const { id, say, answer, events } = flowFixture([[pay], [{ text: 'Paid.' }]]);
    await answer(questionIn(await say('Pay Alice.')), true);
    const all = await events();
    const whole = timelineOf(id, all).spans.map((span) => span.id);
    for (let count = 0; count <= all.length; count += 1) {
      const ids = timelineOf(id, all.slice(0, count)).spans.map((span) => span.id);
      expect(whole.slice(0, ids.length)).toEqual(ids);
    }
    expect(timelineOf(id, [])).toMatchObject({ turns: [], spans: [], status: 'idle' });
  });
});

describe('GET /api/chat/{chatId}/timeline', () => {
  const secret = '4111-secret-card';

  async function served() {
    const script = [[{ call: 'pay', input: { to: secret, amount: 30 } }], [{ text: 'Paid.' }]];
    const fixture = await serveFixture(script, {
      toolDetails: { pay: { secrets: { input: ['to'], output: [''] } } },
    });
    const { say, answer } = fixture.chat();
    await answer(questionIn(await say('Pay.')), true);
    return (headers: Record<string, string> = {}, chatId = 'chat') =>
      fetch(`${fixture.api}/${chatId}/timeline`, { headers });
  }

  it('returns the spans with times in ISO 8601, and no secrets of a tool [S1, S11]', async () => {
    const get = await served();
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text).not.toContain(secret);
    const { chatId, spans, turns, summary } = JSON.parse(text);
    expect({ chatId, turns }).toMatchObject({ chatId: 'chat', turns: [{ turn: 1, text: 'Pay.' }] });
    expect(summary).toMatchObject({ questions: 1, approved: 1, calls: 1 });
    const times = spans.flatMap((span: { startedAt: string; endedAt: string }) => [
      span.startedAt,
      span.endedAt,
    ]);
    expect(times).toHaveLength(8);
    for (const time of [...times, spans[1].answer.at, turns[0].startedAt]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(spans[2]).toMatchObject({
      kind: 'tool',
      input: { to: '[redacted]', amount: 30 },
      output: '[redacted]',
    });
  });

  it.each([
    ['someone else’s', { [userHeader]: 'eve' }, 'chat', 404, 'not-found'],
    ['an unknown', {}, 'unknown', 404, 'not-found'],
    ['a reserved', {}, '__proto__', 400, 'invalid-request'],
  ])('returns nothing of %s chat', async (_name, headers, chatId, status, code) => {
    const get = await served();
    const response = await get(headers, chatId);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });
});
