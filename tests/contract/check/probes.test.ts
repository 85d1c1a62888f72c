import { describe, expect, it } from 'vitest';
import type { Status } from '../../../lib/cli/check/rules/finding.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { reportOf } from './run-check.ts';
import { type Change, serveChanged } from './serve-changed.ts';

const twice = 'an answer sent twice runs nothing more';
const madeUp = 'an answer to a question that was never asked runs nothing';
const madeUpHistory = 'an answer in a made-up history runs nothing';
const otherArguments = 'arguments that were changed in the history do not run';
const openAgain = 'a resumed chat with an open question gives the same message';
const atOnce = 'an approved call runs immediately, and only once';

const stream = (text: string, headers: Headers) => new Response(text, { headers });
const withoutReports = (text: string) => text.replaceAll(/data: \{"type":"data-tool-lifecycle".*\n\n/g, '');
const isAnswer = (body: string) => body.includes('"approval-responded"');

/** Answers every repeated body itself. */
function repeatedBy(answer: () => Response): Change['post'] {
  const seen = new Set<string>();
  return (body) => {
    const isRepeated = isAnswer(body) && seen.has(body);
    seen.add(body);
    return isRepeated ? answer() : body;
  };
}

const errorStream = () =>
  new Response('data: {"type":"error","errorText":"Answered already."}\n\ndata: [DONE]\n\n', {
    headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' },
  });
const silence = '{"type":"start"}\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n';

describe('the result of a probe', () => {
  const rows: readonly [what: string, title: string, status: Status, note: RegExp, change: Change][] = [
    ['that reports starts', twice, 'pass', /reported no new start/, {}],
    [
      'that reports nothing',
      twice,
      'not-observed',
      /looks like a replay/,
      { reply: (text, headers) => stream(withoutReports(text), headers) },
    ],
    [
      'that reports nothing, of when calls run',
      atOnce,
      'not-observed',
      /2 of 4 approved calls gave no sign/,
      { reply: (text, headers) => stream(withoutReports(text), headers) },
    ],
    [
      'that refuses the second time',
      twice,
      'differs',
      /no sign that anything ran, but it is an error: it was refused \(409\)/,
      { post: repeatedBy(() => new Response('{}', { status: 409 })) },
    ],
    [
      'that answers the second time by an error',
      twice,
      'differs',
      /no sign that anything ran, but it is an error$/,
      { post: repeatedBy(errorStream) },
    ],
    ['that refuses a made-up answer', madeUp, 'pass', /refused \(404 not-found\)/, {}],
    [
      'that stumbles over a made-up answer',
      madeUp,
      'differs',
      /refused \(500\)/,
      { post: (body) => (body.includes('forged-') ? new Response('', { status: 500 }) : body) },
    ],
    [
      'that answers a made-up history by an error',
      madeUpHistory,
      'pass',
      /refused by an error chunk/,
      { post: (body) => (body.includes('forged-') ? errorStream() : body) },
    ],
    [
      'that answers a made-up history by next to nothing',
      madeUpHistory,
      'not-observed',
      /does not show whether the call ran/,
      { post: (body) => (body.includes('forged-') ? new Response(`data: ${silence}`) : body) },
    ],
    [
      'that runs what it showed whatever it is told',
      otherArguments,
      'pass',
      /the arguments that were shown ran/,
      { post: (body) => body.replaceAll('Alice-changed', 'Alice').replaceAll('307', '30') },
    ],
    [
      'that never resumes',
      openAgain,
      'differs',
      /no resume: the response is that nothing is active/,
      { resumed: () => new Response(null, { status: 204 }) },
    ],
  ];
  it.each(rowsOfThisRun(rows, (_, index) => index % 4 === 0))(
    'for a backend %s, "%s" is reported as %s',
    async (_what, title, status, note, change) => {
      const { findings } = await reportOf([await serveChanged(change), '--prompt', 'Pay.']);
      const finding = findings.find((candidate) => candidate.title === title);
      expect(finding).toMatchObject({ status, note: expect.stringMatching(note) });
    },
  );

  it('fails a resumed message that differs, and shows the difference', async () => {
    const resumed: Change['resumed'] = (text, headers) => stream(text.replaceAll('Alice', 'Malice'), headers);
    const { findings } = await reportOf([await serveChanged({ resumed }), '--prompt', 'Pay.']);
    const finding = findings.find(({ title }) => title === openAgain);
    expect(finding).toMatchObject({ rule: 'H2', status: 'fail' });
    expect(finding?.evidence[0]?.message).toMatch(/part 2 was .*"Alice".* and is .*"Malice"/);
  });
});
