import { checkResponseTiming, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { amountsOf, nameOf, type Pattern, patterns, paymentScript } from '../../support/answer-patterns.ts';
import { clientMessage, messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';

type Beside =
  | 'nothing'
  | 'an ungated call'
  | 'an automatically approved call'
  | 'an automatically denied call';
type Row = { pattern: Pattern; beside: Beside; release: 'final' | 'progressive' };

const besides: Beside[] = [
  'nothing',
  'an ungated call',
  'an automatically approved call',
  'an automatically denied call',
];

const rows: Row[] = (['final', 'progressive'] as const).flatMap((release) =>
  besides.flatMap((beside) => patterns.map((pattern) => ({ pattern, beside, release }))),
);

/** Each pattern of up to two answers alone, each single answer beside everything, and two steps of three answers. */
const isShort = ({ pattern, beside }: Row) => {
  const answers = pattern.flat();
  if (answers.length === 3) return beside === 'nothing' && pattern.length === 2 && answers[0] !== answers[2];
  return beside === 'nothing' || answers.length === 1;
};

/** Between the payments of each step, a call that asks nothing. */
function scriptOf({ pattern, beside }: Row): ScriptedStep[] {
  const steps = paymentScript(pattern);
  if (beside === 'nothing') return steps;
  return steps.map((step, number) =>
    number === pattern.length
      ? step
      : step.toSpliced(2, 0, { call: 'weather', input: { city: `city ${number}` } }),
  );
}

function settingsOf({ beside, release }: Row) {
  const status = beside === 'an automatically approved call' ? 'approved' : 'denied';
  const automatic = beside.startsWith('an automatically')
    ? { toolApproval: { weather: status } as const }
    : {};
  return { release, ...automatic };
}

describe('keeps the timing rules for every pattern of answers [T1, T2, T3, T4, T5, T6, T7, T8, T9, T11, H2, H4]', () => {
  it.each(
    rowsOfThisRun(rows, isShort).map((row) => [row.release, nameOf(row.pattern), row.beside, row] as const),
  )('%s release: %s, beside %s', async (release, _pattern, beside, row) => {
    const { flow, ran, say, answer, view, resume } = flowFixture(scriptOf(row), settingsOf(row));
    const client = clientMessage();
    const answers = row.pattern.flat();

    const responses = [await say('Go.')];
    for (const approved of answers) {
      const last = responses.at(-1) ?? [];
      await client.read(last);
      const id = questionIn(last);
      client.answer(id, approved);
      responses.push(await answer(id, approved));
    }
    await client.read(responses.at(-1) ?? []);

    expect(checkResponseTiming(responses, { release, finished: true })).toEqual([]);

    const paid = ran
      .filter(({ tool }) => tool === 'pay')
      .map(({ input }) => (input as { amount: number }).amount);
    expect(paid).toEqual(amountsOf(row.pattern));
    const forecasts = beside === 'nothing' || beside.endsWith('denied call') ? 0 : row.pattern.length;
    expect(ran.filter(({ tool }) => tool === 'weather')).toHaveLength(forecasts);

    const stored = await view();
    expect(stored.run.status).toBe('idle');
    expect(stored.draft).toBeUndefined();
    expect(plain(stored.messages.at(-1))).toEqual(client.value);
    expect(await messageOf((await resume()) ?? [])).toEqual(client.value);
    await flow.close();
  });
});
