import { type Budget, BudgetSpent } from '../budget.ts';
import type { WireCheck } from '../check-wire.ts';
import type { Finding } from '../rules/finding.ts';
import { rankFindings } from '../rules/rank-findings.ts';
import type { CheckedDialect, DialectSight, DialectTurn } from './checked-dialect.ts';
import { createSession } from './session.ts';
import { sharedRules } from './turn-rules.ts';

type Settings = {
  /** The base address of the server. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly prompts: readonly string[];
  readonly say: (what: string) => void;
};

/**
 * Checks a server over one dialect: plays each prompt with all questions approved, and the first that asks denied. Then it
 * resumes, answers again, and sends what no client should.
 *
 * @throws CannotCheck if the first turn gets no answer in this dialect
 */
export async function checkDialect(
  dialect: CheckedDialect,
  budget: Budget,
  settings: Settings,
): Promise<WireCheck> {
  const session = createSession(settings.url.replace(/\/$/, ''), settings.headers, budget);
  const turns: DialectTurn[] = [];
  const seen: {
    rule: Finding['rule'];
    title: string;
    rank?: Finding['rank'];
    sights: [string, DialectSight][];
  }[] = [];
  let cutShort: string | undefined;
  try {
    for (const prompt of settings.prompts) await play(prompt, true);
    const asking = turns.find((turn) => asks(dialect, turn));
    if (asking) await play(asking.prompt, false);
    for (const { run, ...probe } of dialect.probes) {
      settings.say(probe.title);
      const turn = asking ?? turns[0];
      if (turn) seen.push({ ...probe, sights: [[nameOf(turn), await run(session, turn)]] });
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    cutShort = error.message;
  }
  for (const { key, see, ...rule } of sharedRules) {
    const sights = turns.map((turn): [string, DialectSight] => [nameOf(turn), see(dialect, turn)]);
    seen.push({ ...rule, rule: dialect.rules[key], sights });
  }
  return {
    findings: rankFindings(
      seen.map(({ sights, ...rule }) => ({ wire: dialect.name, ...rule, ...judge(sights) })),
    ),
    cutShort,
    asked: turns.some((turn) => asks(dialect, turn)),
    unasked: turns.filter((turn) => !asks(dialect, turn)).map((turn) => wordsOf(dialect, turn)),
    requests: budget.used,
  };

  async function play(prompt: string, approved: boolean): Promise<void> {
    settings.say(`"${prompt}", all ${approved ? 'approved' : 'denied'}`);
    turns.push(await dialect.play(session, prompt, approved));
  }
}

function asks(dialect: CheckedDialect, { streams }: DialectTurn): boolean {
  return streams.flat().some((frame) => dialect.meaningOf(frame)?.kind === 'question');
}

function nameOf({ prompt, approved }: DialectTurn): string {
  return `"${prompt}", all ${approved ? 'approved' : 'denied'}`;
}

function wordsOf(dialect: CheckedDialect, { prompt, streams }: DialectTurn): string {
  const meanings = streams.flat().map((frame) => dialect.meaningOf(frame));
  return `"${prompt}": ${meanings.map((meaning) => (meaning?.kind === 'text' ? meaning.text : '')).join('')}`;
}

/** Fails if any turn violates the rule, passes if any gave it an occasion. */
function judge(sights: readonly [string, DialectSight][]): Pick<Finding, 'status' | 'evidence' | 'note'> {
  const evidence = sights.flatMap(([where, sight]) =>
    'violations' in sight ? sight.violations.map((message) => ({ where, message, chunks: [] })) : [],
  );
  if (evidence.length > 0) return { status: 'fail', evidence };
  if (sights.some(([, sight]) => 'violations' in sight)) return { status: 'pass', evidence };
  const [note] = sights.flatMap(([, sight]) => ('note' in sight ? [sight.note] : []));
  return { status: 'not-observed', evidence, note: note ?? 'nothing was tried' };
}
