import { expect, it } from 'vitest';
import { lineWords } from '../../lib/channels/question-lines.ts';
import { outcomeOf, type ReportedQuestion, summaryOf } from '../../lib/channels/question-summary.ts';
import { questionWords } from '../../lib/client/words/question-words.ts';
import { escalationLines } from '../../lib/plugins/escalation/client/lines.ts';
import { messageOf } from '../../lib/plugins/slack/message.ts';
import { defaultSlackWords } from '../../lib/plugins/slack/slack-words.ts';
import { votesLines } from '../../lib/plugins/votes/client/lines.ts';
import { pluginLines, saidByPlugins } from '../support/plugin-lines.ts';

const words = { ...questionWords, ...lineWords, lines: pluginLines };

const [ada, ben] = [
  { id: 'ada', name: 'Ada' },
  { id: 'ben', name: 'Ben' },
];
const at = '2030-01-01T14:05:00.000Z';
const question: ReportedQuestion = {
  ...{ id: 'q', chatId: 'c', toolCallId: 't', toolName: 'pay', input: { amount: 30 } },
  ...{ description: 'Pay 30.', askedBy: ada, requestedAt: at, state: 'open' },
};
const moment = (time: string) => time.slice(11, 16);

it('a summary has the votes, and does not say which of its readers has voted', () => {
  const cast = [{ approved: true, by: ada, onBehalfOf: ben, at, via: 'slack' }];
  const voted = { ...question, plugins: { votes: { needed: 2 } }, answers: cast, hasAnswered: true as const };
  const voting = { ...words, lines: [votesLines()] };
  expect(summaryOf(voted, voting, moment).lines).toEqual(['1 of 2 approvals: Ada for Ben approved.']);
  expect(summaryOf(question, words, moment).lines).toEqual([]);
});

it('a summary has what the options with other arguments would run', () => {
  const options = [
    { id: 'all', label: 'Approve', then: 'approve' as const },
    {
      id: 'less',
      label: 'Up to 10',
      then: 'approve' as const,
      input: { amount: 10 },
      description: 'Pay 10.',
    },
  ];
  expect(summaryOf({ ...question, options }, words, moment).options).toEqual([
    { heading: 'Up to 10', lines: ['Pay 10.', 'Amount: 10'] },
  ]);
});

const end = { at: '2030-01-01T15:00:00.000Z', then: 'deny' } as const;

it.each<[string, Partial<ReportedQuestion>, string[]]>([
  ['nothing without an escalation', {}, []],
  [
    'whom a step has added',
    { plugins: { escalation: { steps: [], step: 1, at, label: 'managers' } } },
    ['Escalated to managers at 14:05.'],
  ],
  [
    'what happens at the end',
    { plugins: { escalation: { steps: [], step: 0, end } } },
    ['Will be denied at 15:00 if nobody answers.'],
  ],
  [
    'no end of a question that ended',
    { state: 'denied', plugins: { escalation: { steps: [], step: 0, end } } },
    [],
  ],
])('a summary says %s', (_, more, lines) => {
  const escalating = { ...words, lines: [escalationLines()] };
  expect(summaryOf({ ...question, ...more }, escalating, moment).lines).toEqual(lines);
});

it('an outcome names the person who answered, and for whom', () => {
  const answer = { approved: true, by: ada, onBehalfOf: ben, at, via: 'http' };
  expect(outcomeOf({ ...question, state: 'approved', answer }, words)).toBe('Approved by Ada for Ben');
});

it('a text with line breaks is one line, so that it cannot look like an argument', () => {
  const nasty = 'Alice\r\nAmount: 5';
  const { preview, ...rest } = {
    title: nasty,
    description: nasty,
    ...{ risk: 'high' as const, riskReason: nasty, toolName: nasty },
    ...{ earlier: [{ toolName: 'pay', toolCallId: 'c', title: nasty, outcome: 'failed' as const }] },
    history: { subject: nasty, count: 0, denied: { by: { id: 'b', name: nasty }, at } },
    preview: { state: 'made', at, summary: nasty, digest: 'd', parts: [] } as ReportedQuestion['preview'],
    plugins: saidByPlugins,
    answers: [{ approved: true, by: { id: 'b', name: nasty }, at, via: 'slack' }],
    options: [
      { id: 'o', label: nasty, then: 'approve' as const, input: { [nasty]: nasty }, description: nasty },
    ],
  };
  const asked = { ...question, ...rest, ...(preview && { preview }) };
  const { arguments: lines, options, effect, warnings, ...shownTexts } = summaryOf(asked, words, moment);
  const texts = [
    ...Object.values(shownTexts).flat(),
    ...[...lines, ...options, ...(effect ? [effect] : [])].flatMap((group) => [
      group.heading ?? '',
      ...group.lines,
    ]),
    ...warnings,
  ].map(String);
  expect(texts.filter((text) => /[\r\n]/.test(text))).toEqual([]);
  expect(texts).toContain('Alice ⏎ Amount: 5');
});

it('a message in Slack has no formatting but times: names of people are plain text, and labels are escaped', () => {
  const name = '*Ada* `x` :tada: <!channel>\nAmount: 5';
  const label = 'managers <!channel> \u0001x\u0001';
  const asked = {
    ...{ ...question, askedBy: { id: 'a', name } },
    plugins: { votes: { needed: 2 }, escalation: { steps: [], step: 1, at, label } },
    answers: [{ approved: true, by: { id: 'b', name }, at, via: 'slack' }],
  };
  const { blocks } = messageOf(asked, {
    words: { ...defaultSlackWords, lines: [escalationLines(), votesLines()] },
    url: undefined,
  });
  const text = JSON.stringify(blocks);
  expect(text).toContain('{"type":"plain_text","text":"Asked by *Ada* `x` :tada: <!channel> ⏎ Amount: 5"');
  expect(text).toContain(
    '"plain_text","text":"1 of 2 approvals: *Ada* `x` :tada: <!channel> ⏎ Amount: 5 approved."',
  );
  const marked = [...text.matchAll(/"type":"mrkdwn","text":"([^"]*)"/g)].map(([, markup = '']) => markup);
  const time = String.raw`<!date\^\d+\^[^|<>]*\|[^<>]*>`;
  expect(marked).toEqual([
    expect.stringMatching(new RegExp(`^${time}$`)),
    expect.stringMatching(
      new RegExp(`^Escalated to managers &lt;!channel&gt; ⟨U\\+0001⟩x⟨U\\+0001⟩ at ${time}\\.$`),
    ),
  ]);
});
