import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ToolExecutionOptions } from 'ai';
import { asSchema } from 'ai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoDatabase } from '../../app/_data/demo-database.ts';
import { openDemoDatabase } from '../../app/_data/demo-database.ts';
import type { DemoMcp } from '../../app/_mcp/client.ts';
import { openDemoMcp } from '../../app/_mcp/client.ts';
import { createDemoTools } from '../../app/_tools/index.ts';
import { parseApprovalId, parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';

let mcp: DemoMcp;
let folder: string;
let database: DemoDatabase;
let demo: ReturnType<typeof createDemoTools>;

beforeAll(async () => {
  mcp = await openDemoMcp();
});
afterAll(() => mcp.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'app-tools-'));
  database = openDemoDatabase(join(folder, 'data'), () => Date.UTC(2030, 0, 2));
  demo = createDemoTools({ database, docsFolder: folder, mcpTools: mcp.tools });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const call = (
  toolCallId = 'call-1',
  idempotencyKey = `key of ${toolCallId}`,
): ToolExecutionOptions<Record<string, unknown>> => ({
  toolCallId,
  messages: [],
  context: { idempotencyKey },
});

describe('the demo database', () => {
  it('opens nothing until it is used, and then a WAL file that keeps its rows', () => {
    expect(existsSync(join(folder, 'data'))).toBe(false);
    database.insertPayment('key-a', { toolCallId: 'a', recipient: 'Alice', amount: 30, currency: 'USD' });
    database.updateUsers({}, 'inactive');
    database.close();
    const payments = [
      { toolCallId: 'a', recipient: 'Alice', amount: 30, currency: 'USD', at: '2030-01-02T00:00:00.000Z' },
    ];
    expect(database.listPayments()).toEqual(payments);
    expect(database.searchUsers({ status: 'inactive' })).toHaveLength(10);
    const raw = new DatabaseSync(join(folder, 'data', 'demo.sqlite'));
    expect(raw.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    raw.close();
  });

  it('may be open twice at the same time', () => {
    const second = openDemoDatabase(join(folder, 'data'));
    database.insertPayment('key-a', { toolCallId: 'a', recipient: 'Alice', amount: 30, currency: 'USD' });
    second.insertPayment('key-b', { toolCallId: 'b', recipient: 'Bob', amount: 40, currency: 'USD' });
    expect(database.listPayments().map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
    second.close();
  });
});

describe('the database tools', () => {
  it.each([
    [{}, 10],
    [{ query: '  ' }, 10],
    [{ query: 'tokyo' }, 1],
    [{ query: 'example.com', status: 'trial' as const }, 3],
    [{ query: '%' }, 0],
    [{ query: '_' }, 0],
    [{ query: "' OR 1=1 --" }, 0],
  ])('search_database(%j) finds %i users', async (input, count) => {
    expect(await demo.tools.search_database.execute(input, call())).toHaveLength(count);
  });

  it('update_database writes the matching rows and returns their number', async () => {
    const output = await demo.tools.update_database.execute({ query: 'Zoë', status: 'active' }, call());
    expect(output).toEqual({ updated: 1, status: 'active' });
    expect(database.searchUsers({ query: 'Zoë' })).toMatchObject([{ id: 10, status: 'active' }]);
  });
});

describe('process_payment', () => {
  const ada = { id: 'ada', name: 'Ada', role: 'manager' };
  const bob = { id: 'bob', name: 'Bob', role: 'manager' };
  const cleo = { id: 'cleo', name: 'Cleo' };

  it.each([
    ['1,000', { recipient: 'Zoë', amount: 1_000 }, ['ada']],
    ['1,000.01', { recipient: 'Zoë', amount: 1_000.01 }, ['bob']],
    ['what cannot be read', { recipient: 'Zoë' }, ['bob']],
  ])(
    'may be approved for %s by the asker, or otherwise by a manager who did not ask',
    (_amount, input, who) => {
      const question = {
        id: parseApprovalId('apr_1'),
        chatId: parseChatId('chat'),
        ownerId: ada.id,
        toolCallId: parseToolCallId('call_1'),
        toolName: 'process_payment',
        executor: 'server',
        input,
        description: 'Pay.',
        askedBy: ada,
        requestedAt: 1,
        state: 'open',
      } as const;
      const { approvers } = demo.toolDetails.process_payment;
      const allowed = [ada, bob, cleo].filter((principal) => approvers?.(principal, question));
      expect(allowed.map(({ id }) => id)).toEqual(who);
      // Nobody raises an amount on their own word, but whoever asked for a small one may change it to another.
      const rewritten = [ada, bob, cleo].filter((editor) =>
        approvers?.(editor, { ...question, editedBy: editor }),
      );
      expect(rewritten.map(({ id }) => id)).toEqual(who.filter((id) => id === 'ada'));
    },
  );

  it('adds exactly one row for its idempotency key, and refuses to pay again with it', async () => {
    const input = { recipient: 'Alice', amount: 30 };
    expect(await demo.tools.process_payment.execute(input, call('pay-1'))).toEqual({
      paid: true,
      recipient: 'Alice',
      amount: 30,
      currency: 'USD',
    });
    await expect(demo.tools.process_payment.execute(input, call('pay-1'))).rejects.toThrow(/UNIQUE/);
    await demo.tools.process_payment.execute(input, call('pay-2'));
    expect(database.listPayments().map(({ toolCallId }) => toolCallId)).toEqual(['pay-1', 'pay-2']);
  });

  it('pays in each of two chats whose models chose the same call id', async () => {
    const input = { recipient: 'Alice', amount: 30 };
    for (const key of ['key-1', 'key-2']) {
      await demo.tools.process_payment.execute(input, call('functions.pay:0', key));
    }
    expect(database.listPayments()).toHaveLength(2);
  });

  it('is looked up by its key, and may still be on its way if it is not there', async () => {
    const { lookup } = demo.toolDetails.process_payment;
    expect(lookup?.('key of pay-1')).toBeUndefined();
    const output = await demo.tools.process_payment.execute(
      { recipient: 'Alice', amount: 30 },
      call('pay-1'),
    );
    expect(lookup?.('key of pay-1')).toEqual({ outcome: 'completed', output });
  });

  it.each([
    [{ recipient: 'Alice', amount: 30 }, true],
    [{ recipient: 'Alice', amount: 30, currency: 'EUR' }, true],
    [{ recipient: ' ', amount: 30 }, false],
    [{ recipient: 'Alice', amount: 0 }, false],
    [{ recipient: 'Alice', amount: -1 }, false],
    [{ recipient: 'Alice', amount: '30' }, false],
    [{ recipient: 'Alice', amount: 30, currency: 'dollars' }, false],
  ])('parses %j: %s', async (input, fits) => {
    const validation = await asSchema(demo.tools.process_payment.inputSchema).validate?.(input);
    expect(validation?.success).toBe(fits);
  });
});

describe('get_weather', () => {
  it('returns the same weather for the same place, in either unit', async () => {
    const celsius = await demo.tools.get_weather.execute({ location: 'Tokyo' }, call());
    const fahrenheit = await demo.tools.get_weather.execute(
      { location: 'tokyo', unit: 'fahrenheit' },
      call(),
    );
    expect(celsius).toMatchObject({ location: 'Tokyo', unit: 'celsius' });
    expect(fahrenheit).toMatchObject({ location: 'tokyo', unit: 'fahrenheit' });
    const degrees = (output: unknown) =>
      typeof output === 'object' && output && 'temperature' in output
        ? Number(output.temperature)
        : Number.NaN;
    expect(degrees(fahrenheit)).toBe(Math.round((degrees(celsius) * 9) / 5 + 32));
  });
});

describe('get_location', () => {
  it('is executed by the client, which must send degrees', async () => {
    expect(demo.tools.get_location.execute).toBeUndefined();
    const schema = asSchema(demo.tools.get_location.outputSchema);
    expect(await schema.validate?.({ latitude: 48.2, longitude: 16.4 })).toMatchObject({ success: true });
    expect(await schema.validate?.({ latitude: 148.2, longitude: 16.4 })).toMatchObject({ success: false });
  });
});

describe('web_search', () => {
  it('finds pages of the local corpus, best first, and nothing for unknown words', async () => {
    const found = await demo.tools.web_search.execute({ query: 'the Moon landing timeline' }, call());
    expect(found).toMatchObject([{ title: 'Timeline of the first Moon landing' }, {}, {}]);
    expect(await demo.tools.web_search.execute({ query: 'the of and' }, call())).toEqual([]);
    expect(await demo.tools.web_search.execute({ query: 'zeppelin' }, call())).toEqual([]);
  });

  it('uses another provider if there is one', async () => {
    const page = { title: 'Found', url: 'https://example.org/', excerpt: 'elsewhere', score: 1 };
    const { tools } = createDemoTools({
      database,
      docsFolder: folder,
      mcpTools: mcp.tools,
      webSearch: async (query, { limit }) => [{ ...page, excerpt: `${query} ${limit}` }],
    });
    expect(await tools.web_search.execute({ query: 'zeppelin' }, call())).toEqual([
      { ...page, excerpt: 'zeppelin 5' },
    ]);
  });
});

describe('file_search', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'docs', 'adr'), { recursive: true });
    writeFileSync(
      join(folder, 'README.md'),
      'Welcome.\n\n# Start\n\nRun it.\n\n## Approvals\n\nAsk a person.\n',
    );
    writeFileSync(
      join(folder, 'docs', 'adr', '0001-log.md'),
      '# A log\n\n```sh\n# not a heading: approval\n```\n\nEvery answer is kept.\n',
    );
    writeFileSync(join(folder, 'secret.md'), '# Secret approval\n');
    symlinkSync(join(folder, 'secret.md'), join(folder, 'docs', 'link.md'));
  });

  it('finds sections of README.md and docs/, and nothing else', async () => {
    const found = await demo.tools.file_search.execute({ query: 'approval' }, call());
    expect(found).toMatchObject([
      { file: 'README.md', heading: 'Approvals', excerpt: 'Ask a person.' },
      { file: 'docs/adr/0001-log.md', heading: 'A log' },
    ]);
  });

  it.each(['zeppelin', 'the and of', '???'])('finds nothing for %j', async (query) => {
    expect(await demo.tools.file_search.execute({ query }, call())).toEqual([]);
  });

  it('finds nothing in a folder without documents', async () => {
    rmSync(join(folder, 'docs'), { recursive: true });
    rmSync(join(folder, 'README.md'));
    expect(await demo.tools.file_search.execute({ query: 'approval' }, call())).toEqual([]);
  });
});

describe('the services', () => {
  const unavailable = { statusCode: 503, isRetryable: true };

  it('flaky_service fails once for each call id, then succeeds', async () => {
    const { flaky_service: flaky } = demo.tools;
    await expect(flaky.execute({}, call('one'))).rejects.toMatchObject(unavailable);
    await expect(flaky.execute({}, call('two'))).rejects.toMatchObject(unavailable);
    expect(await flaky.execute({}, call('one'))).toEqual({ status: 'ok', attempts: 2 });
    expect(await flaky.execute({}, call('two'))).toEqual({ status: 'ok', attempts: 2 });
  });

  it('broken_service always fails', async () => {
    const { broken_service: broken } = demo.tools;
    await expect(broken.execute({}, call())).rejects.toMatchObject(unavailable);
    await expect(broken.execute({}, call())).rejects.toMatchObject(unavailable);
  });

  it('strict_service accepts only a positive whole number', async () => {
    const schema = asSchema(demo.tools.strict_service.inputSchema);
    expect(await schema.validate?.({ orderNumber: 'not a number' })).toMatchObject({ success: false });
    expect(await demo.tools.strict_service.execute({ orderNumber: 7 }, call())).toEqual({
      status: 'ok',
      orderNumber: 7,
    });
  });
});

describe('release_version', () => {
  const ada = { id: 'user:ada', name: 'Ada', role: 'manager' };
  const ben = { id: 'user:ben', name: 'Ben' };
  const cleo = { id: 'user:cleo', name: 'Cleo' };
  const local = { id: 'local', name: 'Local user' };

  it.each([
    [ada, ['Ada', 'Local user']],
    [ben, ['Ada', 'Ben', 'Local user']],
    [local, ['Ada', 'Local user']],
  ])('of $name needs two approvals, of enough people of the demo', (askedBy, who) => {
    const question = {
      id: parseApprovalId('apr_1'),
      chatId: parseChatId('chat'),
      ownerId: askedBy.id,
      toolCallId: parseToolCallId('call_1'),
      toolName: 'release_version',
      executor: 'server',
      input: { version: '2.1' },
      description: 'Release.',
      askedBy,
      requestedAt: 1,
      state: 'open',
    } as const;
    const { votes, approvers } = demo.toolDetails.release_version;
    expect(votes?.count).toBe(2);
    const allowed = [ada, ben, cleo, local].filter((principal) => approvers?.(principal, question));
    expect(allowed.map(({ name }) => name)).toEqual(who);
  });
});

describe('refund_order', () => {
  it.each([
    [250, { orderNumber: 1007, amount: 100 }],
    [100, undefined],
  ])('offers a smaller refund than %i only if there is one', (amount, input) => {
    const [, smaller] = demo.toolDetails.refund_order.options ?? [];
    expect(smaller?.input?.({ orderNumber: 1007, amount })).toEqual(input);
  });
});

describe('the demo tools’ details', () => {
  it('exist for every tool, and seven tools ask first', () => {
    expect(Object.keys(demo.toolDetails).sort()).toEqual(Object.keys(demo.tools).sort());
    expect(demo.toolApproval).toEqual({
      search_database: 'user-approval',
      update_database: 'user-approval',
      process_payment: 'user-approval',
      get_location: 'user-approval',
      rotate_key: 'user-approval',
      release_version: 'user-approval',
      refund_order: 'user-approval',
    });
  });

  it('say what a call will do in one sentence', () => {
    const { toolDetails: details } = demo;
    expect([
      details.process_payment.describe?.({ recipient: 'Alice', amount: 30 }),
      details.process_payment.describe?.({ recipient: 'Bob\n\nand "all"', amount: 12.5, currency: 'EUR' }),
      details.search_database.describe?.({}),
      details.search_database.describe?.({ query: 'Tokyo', status: 'trial' }),
      details.update_database.describe?.({ status: 'reviewed' }),
      details.web_search.describe?.({ query: 'moon landing timeline' }),
    ]).toEqual([
      'Pay Alice 30 USD.',
      'Pay Bob and "all" 12.5 EUR.',
      'Read every user from the demo database.',
      'Read every trial user matching "Tokyo" from the demo database.',
      'Set the status of every user in the demo database to "reviewed".',
      'Searching the web for moon landing timeline',
    ]);
  });

  it('sum up the result, with a count, even if there is none', () => {
    const { toolDetails: details } = demo;
    expect([
      details.search_database.summarize?.(database.searchUsers({}), {}),
      details.search_database.summarize?.([], {}),
      details.web_search.summarize?.([], { query: 'zeppelin' }),
      details.multiply.summarize?.('20', { a: 5, b: 4 }),
    ]).toEqual([
      { summary: 'Found 10 users', resultCount: 10 },
      { summary: 'No users found', resultCount: 0 },
      { summary: 'No pages found for "zeppelin"', resultCount: 0 },
      { summary: 'The product is 20', resultCount: 1 },
    ]);
  });
});
