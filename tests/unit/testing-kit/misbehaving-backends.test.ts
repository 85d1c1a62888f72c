import { checkResponseTiming, misbehaviours, startBackend } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { modes } from '../../support/modes.ts';
import { playBackend } from '../../support/play-backend.ts';
import type { ConnectRaw } from '../../support/raw-client.ts';

async function rulesBrokenBy(
  misbehaviour: Parameters<typeof startBackend>[0],
  connect: ConnectRaw,
  answers: readonly boolean[],
) {
  const backend = await startBackend(misbehaviour);
  onTestFinished(() => backend.close());
  const played = await playBackend(connect, backend.url, answers);
  const violations = played.flatMap(([responses, options]) => checkResponseTiming(responses, options));
  return { rules: [...new Set(violations.map(({ rule }) => rule))], violations, payments: backend.payments };
}

/** A denial is what shows the backend that runs what was denied; elsewhere two payments show most. */
const answersFor = (name: string) => (name === 'denied-call-run' ? [false, true] : [true, true]);

describe.each(rowsOfThisRun(modes, ([mode]) => mode === 'BIDI'))(
  'misbehaving backends, over %s',
  (_mode, connect) => {
    it.each(
      misbehaviours.map((misbehaviour) => [misbehaviour.name, misbehaviour.rule, misbehaviour] as const),
    )('%s is caught as %s, and as nothing else', async (name, rule, misbehaviour) => {
      const { rules, violations } = await rulesBrokenBy(misbehaviour, connect, answersFor(name));
      expect(rules, JSON.stringify(violations, null, 1)).toEqual([rule]);
    });

    it.each([[[true, true]], [[true, false]], [[false, true]], [[false, false]]])(
      'a correct backend passes, whatever is answered: %j',
      async (answers) => {
        const { violations, payments } = await rulesBrokenBy(undefined, connect, answers);
        expect(violations).toEqual([]);
        expect(payments).toHaveLength(answers.filter(Boolean).length);
      },
    );
  },
);
