import type { Rank } from '../rules/finding.ts';
import type { CheckedDialect, DialectFrame, DialectSight, DialectTurn, Meaning } from './checked-dialect.ts';

/** A rule that all dialects have. */
type SharedRule = {
  readonly key: keyof CheckedDialect['rules'];
  readonly title: string;
  readonly rank?: Rank;
  readonly see: (dialect: CheckedDialect, turn: DialectTurn) => DialectSight;
};

/** The rules of whole turns, by the meaning of their frames. */
export const sharedRules: readonly SharedRule[] = [
  {
    key: 'form',
    title: 'frames have their form, and known ones fit their schema',
    see: (_, { faults }) => ({ violations: faults }),
  },
  { key: 'pairs', title: 'each call starts once, and then ends once', see: seePairs },
  { key: 'last', title: 'each stream ends with its last frame, once', see: seeLast },
  {
    key: 'question',
    title: 'a question comes alone, and its call ends as it was answered',
    rank: 'unsafe',
    see: seeQuestions,
  },
];

type Placed = Meaning & { readonly place: number };

function meaningsOf(dialect: CheckedDialect, { streams }: DialectTurn): Placed[] {
  return streams.flat().flatMap((frame, place) => {
    const meaning = dialect.meaningOf(frame);
    return meaning ? [{ ...meaning, place }] : [];
  });
}

function seePairs(dialect: CheckedDialect, turn: DialectTurn): DialectSight {
  const calls = new Map<string, string[]>();
  for (const meaning of meaningsOf(dialect, turn)) {
    if (meaning.kind !== 'start' && meaning.kind !== 'end' && meaning.kind !== 'failure') continue;
    calls.set(meaning.callId, [...(calls.get(meaning.callId) ?? []), meaning.kind]);
  }
  if (calls.size === 0) return { note: 'no call was made' };
  const sound = /^start (end|failure)$/;
  const isSound = (kinds: string) => sound.test(kinds) || (dialect.failsUnstarted && kinds === 'failure');
  const broken = [...calls].filter(([, kinds]) => !isSound(kinds.join(' ')));
  return { violations: broken.map(([id, kinds]) => `call ${id}: ${kinds.join(', ')}`) };
}

function seeLast(dialect: CheckedDialect, { streams }: DialectTurn): DialectSight {
  const isLast = (frame: DialectFrame) => dialect.meaningOf(frame)?.kind === 'last';
  const violations = streams.flatMap((stream, index) => {
    const frames = stream.filter(({ type }) => type !== 'mark');
    const count = frames.filter(isLast).length;
    const end = frames.at(-1);
    if (count === 1 && end && isLast(end)) return [];
    return [`stream ${index + 1} has ${count} last frames, and ends with ${end?.type ?? 'nothing'}`];
  });
  return { violations };
}

function seeQuestions(dialect: CheckedDialect, turn: DialectTurn): DialectSight {
  const meanings = meaningsOf(dialect, turn);
  const questions = meanings.filter((meaning) => meaning.kind === 'question');
  if (questions.length === 0) return { note: 'nothing was asked' };
  const violations = questions.flatMap(({ callId, place }, index) => {
    const ends = meanings.filter(
      (meaning) => (meaning.kind === 'end' || meaning.kind === 'failure') && meaning.callId === callId,
    );
    const [end] = ends;
    if (!end) return [`call ${callId} was asked about, and has no end`];
    if (end.place < place) return [`call ${callId} ended before it was asked about`];
    if (!turn.approved && end.kind === 'end') return [`call ${callId} was denied, and ran`];
    const next = questions[index + 1];
    return next && next.place < end.place ? [`call ${next.callId} was asked about beside ${callId}`] : [];
  });
  return { violations };
}
