import { describe, expect, it } from 'vitest';
import { UsageError } from '../../lib/cli/command.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { perTurn } from '../support/per-turn.ts';
import { responsesGateway } from '../support/responses-gateway.ts';
import { type Break, serveBroken, serveBrokenSocket } from './check/break-dialect.ts';
import { reportOf, rulesWith, runCheck, unsound } from './check/run-check.ts';
import { serveDialects } from './dialects/support/serve-dialects.ts';

const script = perTurn([
  [{ text: 'Let me see. ' }, { call: 'weather', input: { city: 'Oslo' } }],
  [{ call: 'pay', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'That is all.' }],
]);
const dialects = ['tool-events', 'two-step', 'responses', 'chat-socket'] as const;
type Name = (typeof dialects)[number];

/** A sound server of a dialect. */
async function sound(dialect: Name): Promise<string> {
  if (dialect !== 'responses') return (await serveDialects(script)).url;
  return (await responsesGateway(script)).url.replace('/v1/responses', '');
}

function check(dialect: Name, url: string) {
  const options = ['--prompt', 'Pay.', '--header', 'authorization: Bearer ada'];
  return reportOf(['--dialect', dialect, url, ...options]);
}

/** Drops the frames that contain a text. */
const without = (part: string): Break => ({ frame: (text) => (text.includes(part) ? '' : text) });
const replacing = (part: string | RegExp, by: string): Break => ({
  frame: (text) => text.replaceAll(part, by),
});
const accepted: Break = { answer: (status) => (status >= 400 ? Response.json({}) : undefined) };
const ran = { summary: 'Done.', resultCount: 0, durationMs: 1 };

/** One rule broken at a time, with what it takes. */
const broken: readonly (readonly [dialect: Name, rule: string, what: string, change: Break])[] = [
  ['tool-events', 'A1', 'no message_start', without('message_start')],
  ['tool-events', 'A12', 'a call without its end', without('tool_call_end')],
  ['tool-events', 'A13', 'no message_end', without('message_end')],
  [
    'tool-events',
    'A25',
    'a denied call that ran',
    replacing(/"type":"tool_call_error"/g, `"type":"tool_call_end",${JSON.stringify(ran).slice(1, -1)}`),
  ],
  [
    'tool-events',
    'A20',
    'a conversation that was not stored',
    {
      answer: (status, path) =>
        status === 200 && path.endsWith('tool-events') ? Response.json({}) : undefined,
    },
  ],
  ['tool-events', 'A26', 'a malformed request that is accepted', accepted],
  ['two-step', 'B3', 'frames without ids', replacing(/^id: .*\n/g, '')],
  ['two-step', 'B12', 'a call without its outcome', without('tool_response')],
  ['two-step', 'B8', 'no done', without('event: done')],
  ['two-step', 'B18', 'a denied call that ran', replacing('event: error', 'event: tool_response')],
  ['two-step', 'B17', 'no resume', { without: 'last-event-id' }],
  ['two-step', 'B2', 'an unknown stream that is found', accepted],
  ['two-step', 'B1', 'a malformed request that is accepted', accepted],
  ['responses', 'C5', 'numbers with gaps', replacing(/"sequence_number":(\d+)/g, '"sequence_number":1$1')],
  ['responses', 'C8', 'an item that was never added', without('response.output_item.added')],
  ['responses', 'C12', 'no response.completed', without('event: response.completed')],
  ['responses', 'C18', 'a denied call that ran', replacing('"status":"failed"', '"status":"completed"')],
  ['responses', 'C18', 'another answer that counts', accepted],
  ['responses', 'C16', 'a malformed request that is accepted', accepted],
  ['chat-socket', 'D6', 'a frame that lacks its tool', replacing('"tool_name":', '"tool":')],
  ['chat-socket', 'D7', 'a result without its start', without('tool_start')],
  [
    'chat-socket',
    'D10',
    'no complete',
    { frame: (text) => (text.includes('"complete"') ? undefined : text) },
  ],
  ['chat-socket', 'D24', 'a second answer that counts', replacing('ALREADY_ANSWERED', 'INTERNAL_ERROR')],
  ['chat-socket', 'D26', 'a malformed frame without its code', replacing('INVALID_FORMAT', 'INTERNAL_ERROR')],
  [
    'chat-socket',
    'D17',
    'a message that was not saved',
    replacing(/"message_id":"/g, '"message_id":"other-'),
  ],
];

describe('countersign check --dialect', () => {
  it.each(dialects)('passes our own server over %s, and observes each rule', async (dialect) => {
    const report = await check(dialect, await sound(dialect));
    expect(unsound(report)).toEqual([]);
    expect(report).toMatchObject({ code: 0, complete: true, dialect });
    expect(rulesWith(report, 'not-observed', dialect)).toEqual([]);
    expect(rulesWith(report, 'pass', dialect).length).toBeGreaterThan(4);
  });

  it.each(rowsOfThisRun(broken, (_, index) => index % 6 === 3))(
    'over %s fails %s for %s',
    async (dialect, rule, _what, change) => {
      const url = await sound(dialect);
      const breaking = dialect === 'chat-socket' ? serveBrokenSocket : serveBroken;
      const report = await check(dialect, await breaking(url, change));
      expect(rulesWith(report, 'fail', dialect)).toContain(rule);
      expect(report.code).toBe(1);
    },
  );

  it('prints the dialect and its rules', async () => {
    const { printed } = await runCheck([
      '--dialect',
      'two-step',
      await sound('two-step'),
      '--prompt',
      'Pay.',
    ]);
    expect(printed[0]).toMatch(/^two-step {2}http:/);
    expect(printed.join('\n')).toContain('B17  a stream is resumed after any frame, and 204 after its last');
  });

  it.each([
    [['--dialect', 'morse', 'http://127.0.0.1:1/'], '--dialect must be one of tool-events, two-step'],
    [['--dialect', 'responses', 'http://127.0.0.1:1/', '--release', 'final'], '--dialect goes with'],
  ])('refuses %j', async (args, message) => {
    await expect(runCheck(args)).rejects.toThrow(UsageError);
    await expect(runCheck(args)).rejects.toThrow(message);
  });

  it('says so when nothing answers in the dialect', async () => {
    const { code, complained } = await runCheck(['--dialect', 'tool-events', 'http://127.0.0.1:1/']);
    expect(code).toBe(2);
    expect(complained.at(-1)).toContain('There was no response');
  });
});
