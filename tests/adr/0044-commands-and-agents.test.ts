import type { FlowSettings } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { scriptedModel } from 'countersign/testing';
import { expect } from 'vitest';
import { readQuestion } from '../../lib/cli/approvals/question.ts';
import { serverFrom } from '../../lib/cli/approvals/server.ts';
import { plainJson, shownText } from '../../lib/cli/approvals/terminal-text.ts';
import { UsageError } from '../../lib/cli/command.ts';
import { createApprovalServer } from '../../lib/plugins/agent-requests/command/approval-server.ts';
import { loadSdk } from '../../lib/plugins/agent-requests/command/load-sdk.ts';
import { outcomeOf } from '../../lib/plugins/agent-requests/command/outcome.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { requestApproval } from '../support/agent-requests-client.ts';
import { fakeTerminal, runApprovals } from '../support/fake-terminal.ts';
import { askedBy, type KeyedServer, keyedServer, keys } from '../support/keyed-server.ts';

const { clause } = adr('0044-commands-and-agents.md');

const pay = [[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Paid.' }]];

type PayDetails = NonNullable<FlowSettings['toolDetails']>[string];

/** A server where Ada was asked to pay. */
async function asking(details: PayDetails = {}) {
  const server = await keyedServer({ script: pay, toolDetails: { pay: details } as never });
  const { id } = await askedBy(server, keys.ada);
  return { server, id };
}

const ask = (server: KeyedServer, body: object = { title: 'Deploy' }, key = 'one') =>
  requestApproval(server, keys.agent, body, key);

type Asked = { readonly id: string; readonly chatId: string; readonly toolCallId: string };

const serverOf = ({ url }: { readonly url: string }, key: string) =>
  serverFrom({ url, key }, fakeTerminal().terminal);

clause('0044.1', async () => {
  const { server, id } = await asking();
  expect((await runApprovals(server, keys.ben, ['show', id])).code).toBe(3);
  expect((await runApprovals(server, keys.ben, ['approve', id])).code).toBe(3);
  const { body } = await ask(server);
  // The asker sees its request and may not answer it.
  expect((await runApprovals(server, keys.agent, ['show', body.approval.id])).code).toBe(0);
  expect((await runApprovals(server, keys.agent, ['approve', body.approval.id])).code).toBe(6);
  expect((await runApprovals(server, keys.ada, ['approve', body.approval.id])).code).toBe(0);
});

clause('0044.2', async () => {
  const attack = 'Pay 900\b\b\b5\u001b[2J\u202e\nrisk: low';
  expect(shownText(attack)).toMatch(/^Pay 900⟨U\+0008⟩.*⟨U\+001B⟩\[2J⟨U\+202E [^⟩]*⟩\\nrisk: low$/);
  expect(plainJson(attack)).toMatch(/^[\x20-\x7e]+$/);
  const { server, id } = await asking({ describe: () => attack });
  const { printed } = await runApprovals(server, keys.ada, ['show', id]);
  expect(printed.filter((line) => line.startsWith('risk:'))).toEqual([]);
  // Printed as it is, the text moves the cursor, and its second line is a line of the card.
  const rejected = `${attack}\n`.split('\n');
  expect(rejected).toContain('risk: low');
  expect(rejected[0]).toContain('\u001b');
});

clause('0044.3', async () => {
  const { server, id } = await asking({ risk: 'high' });
  const codeOf = async (...args: string[]) => (await runApprovals(server, keys.ada, args)).code;
  expect(await codeOf('list')).toBe(0);
  expect(await codeOf('show', 'apr_none')).toBe(3);
  expect(await codeOf('approve', id, '--yes', '--digest', 'old')).toBe(5);
  await expect(codeOf('approve', id)).rejects.toThrow(UsageError);
  const json = await runApprovals(server, keys.ada, ['list', '--json'], { isTerminal: true });
  expect(json.printed).toHaveLength(1);
  expect(JSON.parse(json.text)).toMatchObject({ approvals: [{ id }] });
  const coloured = await runApprovals(server, keys.ada, ['list'], { isTerminal: true });
  expect(coloured.text).toContain('\u001b[');
  expect((await runApprovals(server, keys.ada, ['list'])).text).not.toContain('\u001b[');
  expect(await codeOf('deny', id)).toBe(0);
  expect(await codeOf('deny', id)).toBe(4);
  expect((await runApprovals({ url: 'http://127.0.0.1:1' }, keys.ada, ['list'])).code).toBe(1);
});

clause('0044.4', async () => {
  let balance = 70;
  const effect = () => ({ summary: `Balance falls to ${balance}.` });
  const { server, id } = await asking({ preview: effect });
  const shown = await readQuestion(serverOf(server, keys.ada), id);
  const { digest } = shown.approval;
  const refused = await server.send(keys.ada, 'POST', `/approvals/${id}`, {
    approved: true,
    digest: 'other',
  });
  expect(refused.body.error.code).toBe('input-mismatch');
  balance = 20;
  const changed = { approved: true, digest, previewDigest: 'of another effect' };
  const stale = await server.send(keys.ada, 'POST', `/approvals/${id}`, changed);
  expect(stale.body.error.code).toBe('preview-changed');
  // Without the digests, the same answer is accepted.
  const blind = await server.send(keys.ada, 'POST', `/approvals/${id}`, { approved: true });
  expect(blind.body.approval.state).toBe('approved');
});

clause('0044.5', async () => {
  const server = await keyedServer();
  const headers = { authorization: `Bearer ${keys.ada}` };
  const before = await ask(server, { title: 'Before' }, 'before');
  const read = async (lastId: string) => {
    const feed = await fetch(`${server.url}/api/approvals/events`, {
      headers: { ...headers, 'last-event-id': lastId },
    });
    const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: opened')) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    return text;
  };
  const first = await read('0');
  expect(first).toContain(before.body.approval.id);
  const position = [...first.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '';
  const after = await ask(server, { title: 'After' }, 'after');
  const rest = await read(position);
  expect(rest).toContain(after.body.approval.id);
  expect(rest).not.toContain(before.body.approval.id);
});

clause('0044.6', async () => {
  const open = { plugins: [agentRequests({ approvers: () => true })] };
  const server = await keyedServer({
    ...open,
    script: pay,
    toolDetails: { pay: { approvers: () => true } } as never,
  });
  const { McpServer } = await loadSdk();
  const mcp = createApprovalServer(McpServer, serverOf(server, keys.agent), '1', () => false);
  const { _registeredTools: tools } = mcp as unknown as { _registeredTools: object };
  expect(Object.keys(tools)).toEqual(['request_approval', 'list_approvals', 'show_approval']);
  const { id } = (await ask(server)).body.approval;
  const own = await server.send(keys.agent, 'POST', `/approvals/${id}`, { approved: true });
  expect(own.body.error.code).toBe('forbidden');
  // An ordinary tool with such a rule can be approved by whoever asked.
  const question = await askedBy(server, keys.agent);
  const rejected = await server.send(keys.agent, 'POST', `/approvals/${question.id}`, { approved: true });
  expect(rejected.status).toBe(200);
});

clause('0044.7', async () => {
  const server = await keyedServer();
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask(server)));
  expect(new Set(answers.map(({ body }) => body.approval.id)).size).toBe(1);
  expect((await ask(server, { title: 'Other' })).body.error.code).toBe('key-reused');
  // Without a key that is repeated, the same request asks twice.
  expect((await ask(server, { title: 'Deploy' }, 'two')).body.approval.id).not.toBe(
    answers[0]?.body.approval.id,
  );
});

clause('0044.8', async () => {
  const by = { id: 'user:ada', name: 'Ada' };
  const start = { type: 'run-started', messageId: 'msg_forged', release: 'final', by };
  const forgeries: ((asked: Asked) => { readonly events: readonly object[]; readonly sql?: string })[] = [
    ({ id, toolCallId }) => ({
      events: [
        start,
        { type: 'approval-answered', approvalId: id, toolCallId, approved: true, via: 'http', by },
      ],
    }),
    // The gate of the call is removed, so that it seems to need no approval.
    () => ({
      events: [start],
      sql: `update events set body = replace(body, '"gate":{"type":"ask"}', '"gate":{"type":"none"}')`,
    }),
  ];
  for (const forgery of forgeries) {
    const { store, administer } = administeredSqlite();
    const quiet = { warn: () => {}, error: () => {} };
    const settings = { store, auditKey: 'an audit key for tests', logger: quiet };
    const asked: Asked = (await ask(await keyedServer(settings))).body.approval;
    const { id, chatId } = asked;
    const { events, sql } = forgery(asked);
    for (const body of events) {
      await administer(`insert into events (chat, seq, at, run, body)
        select chat, seq + 1, updated_at, 'run_forged', '${JSON.stringify(body)}' from chats where id = '${chatId}';
        update chats set seq = seq + 1 where id = '${chatId}';`);
    }
    await administer(`update chats set status = 'active', run = 'run_forged', open = null, lease_owner = '"gone"',
      lease_until = 0 where id = '${chatId}'`);
    await administer(`update questions set state = 'approved' where id = '${id}'`);
    if (sql !== undefined) await administer(sql);
    const second = await keyedServer(settings);
    await second.flow.recover();
    const details = await settledOn(second, id);
    expect(details.approval.state).toBe('approved');
    expect(outcomeOf(details)).toMatchObject({ status: 'failed' });
  }
});

clause('0044.9', async () => {
  const server = await keyedServer();
  const { body } = await ask(server, { title: 'Read” Risk: low.\n“x', risk: 'low' });
  expect(body.approval.description).toBe("An agent asks, in its own words: “Read' Risk: low. 'x”");
  expect(body.approval.risk).toBe('medium');
  expect((await ask(server, { title: 'Erase', risk: 'high' }, 'two')).body.approval.risk).toBe('high');
});

clause('0044.10', async () => {
  const model = scriptedModel([]);
  const auditKey = 'an audit key for tests';
  const prepareCall = () => {
    throw new Error('There is nothing to prepare.');
  };
  const server = await keyedServer({ model, auditKey, prepareCall });
  const { id, chatId } = (await ask(server)).body.approval;
  await server.send(keys.ada, 'POST', `/approvals/${id}`, { approved: true });
  expect(outcomeOf(await settledOn(server, id))).toMatchObject({ status: 'approved', edited: false });
  expect(model.calls).toEqual([]);
  const agent = { id: 'user:build agent', name: 'Build agent' };
  const { entries, head } = await server.flow.audit.read({ principal: agent, chatId: parseChatId(chatId) });
  expect(entries.map(({ type }) => type)).toEqual(['asked', 'answered', 'started', 'ended']);
  expect(entries[0]).toMatchObject({ askedBy: agent });
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
});

/** The question once its call has ended. */
async function settledOn(server: KeyedServer, id: string) {
  const api = serverOf(server, keys.agent);
  for (;;) {
    const details = await readQuestion(api, id);
    if (outcomeOf(details) !== undefined) return details;
  }
}
