import { describe, expect, it, onTestFinished } from 'vitest';
import { plainJson, shownJson, shownLines, shownText } from '../../lib/cli/approvals/terminal-text.ts';
import { printable } from '../../lib/cli/command.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { runApprovals } from '../support/fake-terminal.ts';
import { askedBy, keyedServer, keys } from '../support/keyed-server.ts';

/** What no line may contain: controls, escapes, and characters that are invisible or change the reading direction. */
const harmful =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const attacks: readonly [string, string][] = [
  ['clears the screen', '\u001b[2J\u001b[HPay 1'],
  ['writes to the clipboard', '\u001b]52;c;cm0gLXJmIC8=\u0007'],
  ['sets the title', '\u001b]0;root\u001b\\'],
  ['makes a link', '\u001b]8;;https://evil.example\u0007Approve\u001b]8;;\u0007'],
  ['uses C1 controls', '\u009b2J\u0090q\u009c'],
  ['moves back over what was written', 'Pay 900\b\b\b5\r'],
  ['reverses the reading direction', 'Pay \u202e005\u202c to \u2066eve\u2069'],
  ['hides text in tags', 'Pay\u{e0041}\u{e0042} Alice'],
  ['hides spaces', 'Pay\u200b\u2060\ufeffPal'],
  ['adds a line of the card', 'Pay 1\nrisk:          low\nmay answer:    you'],
  ['adds a line by a separator', 'Pay 1\u2028risk: low\u2029'],
];

describe('text of others on a terminal [ADR 0044.2]', () => {
  it.each(attacks)('is made harmless if it %s', (_name, text) => {
    const lines = [
      shownText(text),
      printable(text),
      printable({ [text]: text }),
      ...shownLines(text),
      ...shownJson({ [text]: [text] }),
      plainJson({ text }),
    ];
    for (const line of lines) expect(line).not.toMatch(harmful);
    expect(JSON.parse(plainJson({ text }))).toEqual({ text });
  });

  it('is left as it is if it is harmless, in any script', () => {
    for (const text of ['Zahle 30 € an Jürgen.', '支払う', 'ادفع', '👩‍👩‍👧 ok'])
      expect(shownText(text)).toBe(text);
  });

  it('cannot add a line to a card, in any field of a question, a reason or a name', async () => {
    const hostile = attacks.map(([, text]) => text).join(' ');
    const server = await keyedServer({
      script: [[{ call: 'pay', input: { to: hostile, amount: 1 } }], [{ text: 'Done.' }]],
      toolDetails: {
        pay: {
          title: hostile,
          describe: () => hostile,
          subject: () => hostile,
          risk: { level: 'high', reason: hostile.slice(0, 200) },
          preview: () => ({
            summary: hostile,
            parts: [
              { type: 'totals', totals: [{ label: hostile, value: hostile }] },
              { type: 'list', title: hostile, items: [hostile] },
              { type: 'table', rows: [{ [hostile]: hostile }] },
              { type: 'diff', before: hostile, after: hostile },
            ],
          }),
          whoMayAnswer: () => hostile,
        },
      } as never,
    });
    const { id } = await askedBy(server, keys.ada);
    for (const args of [['list'], ['show', id], ['show', id, '--json'], ['list', '--json']]) {
      const { printed } = await runApprovals(server, keys.ada, args);
      for (const line of printed) expect(line).not.toMatch(harmful);
      // Only the program's own line names the risk.
      expect(printed.filter((line) => line.startsWith('risk:')).length).toBeLessThanOrEqual(1);
      expect(printed.filter((line) => line.startsWith('may answer:')).length).toBeLessThanOrEqual(1);
    }
    await runApprovals(server, keys.ada, ['deny', id, '--reason', hostile]);
    const { printed, complained } = await runApprovals(server, keys.ada, ['show', id]);
    for (const line of [...printed, ...complained]) expect(line).not.toMatch(harmful);
  });

  it('is harmless in the errors of a server', async () => {
    const message = `\u001b[2JOpen \u202ehttps://evil.example`;
    const server = await serve({
      fetch: () => Response.json({ error: { code: 'forbidden', message } }, { status: 403 }),
    });
    onTestFinished(() => server.close());
    const { code, complained } = await runApprovals(server, keys.ada, ['list']);
    expect([code, complained.join('')]).toEqual([6, expect.not.stringMatching(harmful)]);
  });

  it('never sends the key after a redirect, and warns before it is sent without encryption', async () => {
    const seen: (string | null)[] = [];
    const thief = await serve({
      fetch: (request) => {
        seen.push(request.headers.get('authorization'));
        return Response.json({ approvals: [] });
      },
    });
    const server = await serve({ fetch: () => Response.redirect(`${thief.url}/api/approvals`) });
    onTestFinished(async () => {
      await thief.close();
      await server.close();
    });
    expect((await runApprovals(server, keys.ada, ['list'])).code).toBe(1);
    expect(seen).toEqual([]);
    const far = await runApprovals({ url: 'http://countersign.invalid' }, keys.ada, ['list']);
    expect(far.complained[0]).toBe('Warning: the key is sent without encryption. Use an https: address.');
  });
});
