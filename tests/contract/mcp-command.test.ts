import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../lib/cli/command.ts';
import { mcpCommand } from '../../lib/plugins/agent-requests/command/mcp.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import { type KeyedServer, keyedServer, keys } from '../support/keyed-server.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));

const deploy = { title: 'Deploy version 2', arguments: { version: 2, region: 'eu' } };

/** Connects a real MCP client to `countersign mcp`, in a process of its own. */
async function connect(url: string, key = keys.agent) {
  const client = new Client({ name: 'test', version: '1' });
  const env = { NODE_ENV: 'test', COUNTERSIGN_URL: url, COUNTERSIGN_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }));
  onTestFinished(() => client.close());

  /** Calls a tool. `asked` resolves with the id of the question, which the progress names. */
  function call(name: string, args: Record<string, unknown>, signal?: AbortSignal) {
    const asked = Promise.withResolvers<string>();
    const onprogress = ({ message = '' }: { message?: string }) => {
      const id = /apr_[\w-]+/.exec(message)?.[0];
      if (id !== undefined) asked.resolve(id);
    };
    const result = client.callTool({ name, arguments: args }, undefined, { onprogress, signal });
    return { asked: asked.promise, result };
  }

  return { client, call };
}

const answer = ({ send }: KeyedServer, id: string, decision: object, key = keys.ada) =>
  send(key, 'POST', `/approvals/${id}`, decision);

const inbox = async ({ send }: KeyedServer) => (await send(keys.ada, 'GET', '/approvals')).body.approvals;

describe('countersign mcp, with a client of the MCP SDK over stdio [ADR 0044]', () => {
  it('asks in the same inbox, and returns an approval with the edited arguments, a denial with its reason', async () => {
    const server = await keyedServer();
    const { call } = await connect(server.url);
    const first = call('request_approval', { ...deploy, details: 'It passed all tests.', risk: 'high' });
    const id = await first.asked;
    expect(await inbox(server)).toMatchObject([
      {
        id,
        description: 'An agent asks, in its own words: “Deploy version 2”',
        askedBy: { name: 'Build agent' },
        risk: 'high',
      },
    ]);
    const input = { ...deploy, details: 'It passed all tests.', risk: 'high', arguments: { version: 1 } };
    await answer(server, id, { approved: true, input });
    expect((await first.result).structuredContent).toMatchObject({
      status: 'approved',
      approval_id: id,
      arguments: { version: 1 },
      edited: true,
      decided_by: 'Ada',
    });
    const second = call('request_approval', deploy);
    await answer(server, await second.asked, { approved: false, reason: 'Not on Fridays.' });
    expect((await second.result).structuredContent).toMatchObject({
      status: 'denied',
      reason: 'Not on Fridays.',
    });
  });

  it('withdraws a request when the client cancels its call', async () => {
    const server = await keyedServer();
    const { call } = await connect(server.url);
    const cancelled = new AbortController();
    const { asked, result } = call('request_approval', deploy, cancelled.signal);
    const feed = withdrawn(server, await asked);
    cancelled.abort();
    await expect(result).rejects.toThrow();
    expect(await feed).toBe('cancelled');
  });

  it('keeps a request open when the client disconnects, and asks once for the same id of a request', async () => {
    const server = await keyedServer();
    const one = await connect(server.url);
    const lost = one.call('request_approval', { ...deploy, request_id: 'deploy-2' });
    const id = await lost.asked;
    lost.result.catch(() => {});
    await one.client.close();
    expect(await inbox(server)).toMatchObject([{ id, state: 'open' }]);
    const two = await connect(server.url);
    const again = two.call('request_approval', { ...deploy, request_id: 'deploy-2' });
    expect(await again.asked).toBe(id);
    const byId = two.call('request_approval', { approval_id: id });
    await byId.asked;
    await answer(server, id, { approved: true });
    expect((await again.result).structuredContent).toMatchObject({ status: 'approved', edited: false });
    expect((await byId.result).structuredContent).toMatchObject({
      status: 'approved',
      arguments: deploy.arguments,
    });
    const reused = await two.call('request_approval', { title: 'Other', request_id: 'deploy-2' }).result;
    expect(reused).toMatchObject({ isError: true });
  });

  it('returns `open` when its time to wait is over, and the repeated call joins the same request', async () => {
    const server = await keyedServer();
    const { call } = await connect(server.url);
    const { result } = call('request_approval', { ...deploy, wait_seconds: 0 });
    const open = (await result).structuredContent as { status: string; approval_id: string };
    expect(open.status).toBe('open');
    const again = call('request_approval', deploy);
    expect(await again.asked).toBe(open.approval_id);
    expect(await inbox(server)).toHaveLength(1);
    await answer(server, open.approval_id, { approved: false });
    await again.result;
  });

  it('waits on for the question that replaced its own, because the server was updated', async () => {
    const store = sqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    const before = await keyedServer({ store });
    const after = await keyedServer({ store, toolApproval: () => undefined });
    const first = await before.send(keys.agent, 'POST', '/approvals', deploy, { 'idempotency-key': 'one' });
    const { id } = first.body.approval;
    const { call } = await connect(after.url);
    const waiting = call('request_approval', { approval_id: id });
    await waiting.asked;
    const changed = await answer(after, id, { approved: true });
    expect(changed.body.error.code).toBe('question-changed');
    const { replacedBy } = changed.body.error;
    await answer(after, replacedBy, { approved: true });
    expect((await waiting.result).structuredContent).toMatchObject({
      status: 'approved',
      approval_id: replacedBy,
      arguments: deploy.arguments,
    });
  });

  it('has no tool that answers, and lists and shows what the agent may see', async () => {
    const server = await keyedServer();
    const { client, call } = await connect(server.url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['request_approval', false],
      ['list_approvals', true],
      ['show_approval', true],
    ]);
    const { result } = call('request_approval', { ...deploy, wait_seconds: 0 });
    const { approval_id: id } = (await result).structuredContent as { approval_id: string };
    const other = await server.send(keys.otherAgent, 'POST', '/approvals', deploy, {
      'idempotency-key': 'x',
    });
    const listed = await call('list_approvals', {}).result;
    expect(textOf(listed)).toMatchObject({ approvals: [{ id, mayAnswer: false }], complete: true });
    expect(textOf(await call('show_approval', { approval_id: id }).result)).toMatchObject({
      approval: { id },
    });
    const foreign = await call('show_approval', { approval_id: other.body.approval.id }).result;
    expect(foreign).toMatchObject({ isError: true });
    for (const name of ['approve', 'deny', 'answer']) {
      expect(await call(name, { approval_id: id }).result).toMatchObject({ isError: true });
    }
  });

  it('asks nothing without a title, with one that is too long, with an id that no header can carry, and for a question that is not a request', async () => {
    const server = await keyedServer();
    const { call } = await connect(server.url);
    for (const args of [
      {},
      { title: 'x', request_id: 'a b' },
      { title: 'x'.repeat(201) },
      { approval_id: 'apr_none' },
    ]) {
      expect(await call('request_approval', args).result).toMatchObject({ isError: true });
    }
    expect(await inbox(server)).toEqual([]);
  });

  it('says what is wrong with its arguments', async () => {
    const { terminal } = fakeTerminal({ env: { COUNTERSIGN_URL: 'http://127.0.0.1:1' } });
    await expect(mcpCommand([], terminal)).rejects.toThrow(UsageError);
    await expect(mcpCommand(['--fast'], terminal)).rejects.toThrow("'--fast'");
  });
});

/** The state in which a question is settled. */
async function withdrawn({ url }: KeyedServer, id: string): Promise<string> {
  const headers = { authorization: `Bearer ${keys.ada}`, 'last-event-id': '0' };
  const { body } = await fetch(`${url}/api/approvals/events`, { headers });
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const settled = text
      .split('\n')
      .find(
        (line) =>
          line.startsWith('data: ') &&
          line.includes(id) &&
          !line.includes('"state":"open"') &&
          line.endsWith('}'),
      );
    if (settled !== undefined) return JSON.parse(settled.slice(6)).state;
  }
  throw new Error('The feed ended.');
}

function textOf(result: unknown): unknown {
  const { content } = result as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
}
