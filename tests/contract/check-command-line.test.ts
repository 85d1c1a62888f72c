import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../lib/cli/command.ts';
import { startBackend } from '../../lib/testing/backends/start-backend.ts';
import { scriptedModel } from '../../lib/testing/model/scripted-model.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { startFlowServer } from '../../lib/testing/server/start-flow-server.ts';
import { countingTools } from '../support/flow-fixture.ts';
import { perTurn } from '../support/per-turn.ts';
import { reportOf, rulesWith, runCheck, unsound } from './check/run-check.ts';
import { serveChanged } from './check/serve-changed.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));

/** Runs `countersign` in a process of its own. */
async function countersign(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}

async function served(answer: (request: Request) => Response | Promise<Response>): Promise<string> {
  const server = await serve({ fetch: answer });
  onTestFinished(() => server.close());
  return `${server.url}/api/chat`;
}

async function soundBackend() {
  const backend = await startBackend();
  onTestFinished(() => backend.close());
  return backend;
}

describe('countersign check on the command line', () => {
  it('prints only the report to stdout, and everything else to stderr', async () => {
    const { api } = await soundBackend();
    const { code, stdout, stderr } = await countersign('check', api, '--prompt', 'Pay.', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: api, complete: true, summary: { fail: 0 } });
    expect(stderr).toMatch(/within 60 requests and 60 s, 15 s for one response/);
    expect(stderr).toMatch(/SSE 3\/60 {2}"Pay\.", approved, denied/);
  });

  it.each([[['check', '--help']], [['--help']]])('prints its usage when called with %j', async (args) => {
    const { code, stdout } = await countersign(...args);
    expect(code).toBe(0);
    expect(stdout).toContain('countersign check <http://…/api/chat>');
    expect(stdout).toContain(
      'Exit code: 0 nothing failed, 1 a rule failed, 2 the check could not be completed',
    );
  });

  it.each<[string, string[], string]>([
    ['no address', [], 'Give one address'],
    ['two addresses', ['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'], 'Give one address'],
    ['a path', ['/api/chat'], 'not an address that starts with http:// or https://'],
    ['a socket in the place of HTTP', ['ws://127.0.0.1:1/'], 'not an address that starts with http://'],
    ['HTTP in the place of a socket', ['http://127.0.0.1:1/', '--bidi', 'http://127.0.0.1:1/'], 'ws://'],
    ['an unknown option', ['http://127.0.0.1:1/', '--fast'], "'--fast'"],
    ['an empty prompt', ['http://127.0.0.1:1/', '--prompt', ' '], 'A --prompt must not be empty.'],
    ['half a header', ['http://127.0.0.1:1/', '--header', 'secret'], "A --header looks like 'name: value'."],
    ['a client tool that is not JSON', ['http://127.0.0.1:1/', '--client-tool', 'locate=here'], 'looks like'],
    [
      'another release',
      ['http://127.0.0.1:1/', '--release', 'late'],
      '--release must be final, progressive or hold-after-question.',
    ],
    ['no requests', ['http://127.0.0.1:1/', '--max-requests', '0'], '--max-requests must be an integer'],
  ])('refuses %s', async (_name, args, message) => {
    const refusal = runCheck(args);
    await expect(refusal).rejects.toThrow(UsageError);
    await expect(refusal).rejects.toThrow(message);
  });

  it('never prints the value of a header', async () => {
    await expect(runCheck(['http://127.0.0.1:1/', '--header', 'x key: secret'])).rejects.not.toThrow(
      'secret',
    );
  });
});

describe('countersign check cannot check', () => {
  it.each<[string, () => Response, RegExp]>([
    ['another address', () => new Response('', { status: 404 }), /refused with 404\. Is this the address/],
    [
      'a backend that asks who is there',
      () => new Response('', { status: 401 }),
      /with 401\. .*give --header/,
    ],
    [
      'a backend in trouble',
      () => new Response('no database', { status: 500 }),
      /The response was: no database/,
    ],
    ['a web page', () => new Response('<p>Hello</p>'), /no UI message stream/],
  ])('%s, and prints the reason', async (_name, answer, message) => {
    const api = await served(answer);
    const { code, printed, complained } = await runCheck([api]);
    expect({ code, printed }).toEqual({ code: 2, printed: [] });
    expect(complained.at(-1)).toMatch(message);
    expect(complained.at(-1)).toContain(api);
  });

  it('an address that nothing listens on', async () => {
    const gone = await startBackend();
    await gone.close();
    const { code, printed, complained } = await runCheck([gone.api]);
    expect({ code, printed }).toEqual({ code: 2, printed: [] });
    expect(complained.at(-1)).toContain(`Cannot check ${gone.api}: There was no response`);
    expect(complained.at(-1)).toContain('Is the backend running at this address?');
  });

  it('a socket that does not listen, and keeps the findings over HTTP', async () => {
    const gone = await startBackend();
    await gone.close();
    const { api } = await soundBackend();
    const report = await reportOf([api, '--bidi', gone.socket, '--prompt', 'Pay.']);
    expect(report).toMatchObject({ code: 2, complete: false, summary: { fail: 0 } });
    expect(rulesWith(report, 'pass', 'SSE')).toContain('T3');
    expect(rulesWith(report, 'pass', 'BIDI')).toEqual([]);
  });

  it('a backend that never asks a question, and prints what it said', async () => {
    const server = await startFlowServer({
      model: scriptedModel(() => [{ text: 'I only talk.' }]),
      tools: {},
    });
    onTestFinished(() => server.close());
    const { code, complained } = await runCheck([server.api, '--prompt', 'Pay.']);
    expect(code).toBe(2);
    expect(complained.slice(-2)).toEqual([
      'Cannot check: no prompt led to a question: give --prompt.',
      '  "Pay.": I only talk.',
    ]);
  });

  it('a backend completely with too few requests, and keeps its findings', async () => {
    const { api } = await soundBackend();
    const report = await reportOf([api, '--prompt', 'Pay.', '--max-requests', '5']);
    expect(report).toMatchObject({ code: 2, complete: false, requests: 5 });
    expect(rulesWith(report, 'pass')).toContain('T3');
    const resume = report.findings.filter(({ rule }) => rule === 'H2');
    expect(resume.map(({ status, note }) => [status, note])).toEqual([
      ['not-observed', 'the 5 requests are used up'],
      ['not-observed', 'the 5 requests are used up'],
    ]);
  });
});

describe('options of countersign check', () => {
  it('sends the headers on both wires', async () => {
    const script = perTurn([[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Done.' }]]);
    const server = await startFlowServer({
      model: scriptedModel(script),
      tools: countingTools().tools,
      authorize: ({ headers }) => (headers.get('x-key') === 'k' ? { id: 'robot', name: 'Robot' } : null),
    });
    onTestFinished(() => server.close());
    const args = [server.api, '--bidi', server.socket, '--prompt', 'Pay.'];
    expect(await runCheck(args)).toMatchObject({ code: 2 });
    const report = await reportOf([...args, '--header', 'x-key: k']);
    expect(unsound(report)).toEqual([]);
    expect(report.code).toBe(0);
  });

  it('executes the client tools that are passed to it, on both wires', async () => {
    const script = perTurn([
      [{ call: 'locate', input: {} }],
      [{ call: 'theme', input: {} }],
      [{ text: 'Here.' }],
    ]);
    const server = await startFlowServer({ model: scriptedModel(script), tools: countingTools().tools });
    onTestFinished(() => server.close());
    const args = ['--client-tool', 'locate={"lat":1}', '--client-tool', 'theme="dark"', '--prompt', 'Where?'];
    const report = await reportOf([server.api, '--bidi', server.socket, ...args]);
    expect(unsound(report)).toEqual([]);
    expect(rulesWith(report, 'pass', 'SSE')).toContain('T13');
    expect(rulesWith(report, 'pass', 'BIDI')).toContain('T13');
  });

  it('names a tool without an outcome, which a client may have to execute', async () => {
    const script = perTurn([[{ call: 'locate', input: {} }], [{ text: 'Here.' }]]);
    const server = await startFlowServer({ model: scriptedModel(script), tools: countingTools().tools });
    onTestFinished(() => server.close());
    const { findings } = await reportOf([server.api, '--prompt', 'Where?']);
    const handedOver = findings.find(({ rule }) => rule === 'T13');
    expect(handedOver).toMatchObject({
      status: 'not-observed',
      note: expect.stringMatching(/^locate got no outcome; .*--client-tool/),
    });
  });

  it.each<[string, 'fail' | 'differs', string, (text: string) => [string, ResponseInit]]>([
    [
      'a stream without its [DONE]',
      'fail',
      'the stream ends without [DONE]',
      (text) => [text.replace('data: [DONE]\n\n', ''), {}],
    ],
    [
      'a stream that continues after its [DONE]',
      'fail',
      'the stream continues after its [DONE]',
      (text) => [`${text}data: [DONE]\n\n`, {}],
    ],
    [
      'another content type',
      'differs',
      'content-type is text/plain, not text/event-stream',
      (text) => [text, { headers: { 'content-type': 'text/plain', 'x-vercel-ai-ui-message-stream': 'v1' } }],
    ],
    [
      'no mark of the protocol',
      'differs',
      'there is no header x-vercel-ai-ui-message-stream: v1',
      (text) => [text, { headers: { 'content-type': 'text/event-stream' } }],
    ],
    [
      'an invalid chunk',
      'fail',
      'the response broke off: ',
      (text) => [text.replace('"type":"finish"', '"type":"farewell"'), {}],
    ],
  ])('reports %s as H1 [H1]', async (_name, status, message, change) => {
    const api = await serveChanged({
      reply(text, headers) {
        const [changed, init] = change(text);
        return new Response(changed, { headers, ...init });
      },
    });
    const report = await reportOf([api, '--prompt', 'Pay.']);
    const form = report.findings.find(
      ({ title }) => title === 'responses are UI message streams, and are ended',
    );
    expect(form).toMatchObject({ rule: 'H1', status });
    expect(form?.evidence[0]?.message).toContain(message);
  });
});
