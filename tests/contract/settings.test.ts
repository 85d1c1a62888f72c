import { lazySchema, zodSchema } from '@ai-sdk/provider-utils';
import { askPerson, createApprovalFlow } from 'countersign';
import { createBidiTransport } from 'countersign/bidi';
import { createBidiServer, createSocketServer, createUpgradeHandler } from 'countersign/bidi/server';
import {
  createBearerIdentity,
  createConcurrencyLimit,
  createCookieIdentity,
  createRateLimit,
  createSessionHandlers,
  deriveKey,
} from 'countersign/http/server';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { insights } from 'countersign/plugins/insights';
import { responses } from 'countersign/plugins/responses';
import { createSseTransport } from 'countersign/sse';
import { createFetchHandler, createSseHandlers } from 'countersign/sse/server';
import { postgresStore, sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CountersignError } from '../../lib/protocol/errors/errors.ts';
import { refusedSettings } from '../../lib/settings/checks/refused-settings.ts';
import { countingTools } from '../support/flow-fixture.ts';
import { fakeFlow } from './support/fake-flow.ts';

/** Stands in every wrong value that could be printed, and must not be. */
const canary = 'hunter2-hunter2-hunter2';

type Fault = { readonly path?: unknown; readonly nearest?: unknown; readonly message: string };

/** The refusal of settings; fails when they are taken. */
function refusalOf(create: () => unknown): Fault {
  try {
    create();
  } catch (error) {
    if (!CountersignError.is(error) || error.code !== 'invalid-settings') throw error;
    expect(JSON.stringify([error.message, error.fields, String(error.cause)])).not.toContain(canary);
    return { ...error.fields, message: error.message };
  }
  throw new Error('These settings were taken.');
}

const store = sqliteStore({ path: ':memory:' });
const { tools } = countingTools();
const model = scriptedModel([]);

function flowOf(settings: object): void {
  const flow = createApprovalFlow({ model, store, tools, ...settings } as never);
  void flow.close();
}

const approve = { id: 'a', label: 'A', then: 'approve' };
const deny = { id: 'b', label: 'B', then: 'deny' };
/** Options that are refused, and the path below `options` that the refusal names. */
const optionRows: readonly (readonly [options: unknown, path: string])[] = [
  ['approve', ''],
  [[approve], ''],
  [[deny, { ...deny, id: 'c', label: 'C' }], ''],
  [Array.from({ length: 7 }, (_, index) => ({ ...approve, id: `a${index}`, label: `A${index}` })), ''],
  [[approve, { ...deny, id: 'a' }], '[1].id'],
  [[approve, { ...deny, id: 'Not An Id' }], '[1].id'],
  [[approve, { ...deny, label: 'A' }], '[1].label'],
  [[approve, { ...deny, label: 'a'.repeat(61) }], '[1].label'],
  [[approve, { ...deny, then: 'defer' }], '[1].then'],
  [[approve, { ...deny, input: () => 1 }], '[1].input'],
];

/** Tools whose schema cannot be given to a model, or shown as a form, and the path below the tool that the refusal names. */
const schemaRows: readonly (readonly [tool: object, path: string])[] = [
  [{ inputSchema: z.object({ at: z.coerce.date() }) }, 'inputSchema.at'],
  [
    { inputSchema: z.object({ of: z.object({ total: z.bigint() }), to: z.string() }) },
    'inputSchema.of.total',
  ],
  [{ inputSchema: z.object({ days: z.array(z.date()) }) }, 'inputSchema.days'],
  [{ inputSchema: lazySchema(() => zodSchema(z.object({ at: z.date() }))) }, 'inputSchema'],
  [
    { inputSchema: { '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } } },
    'inputSchema',
  ],
  [{ inputSchema: z.string() }, 'inputSchema'],
  [{ inputSchema: z.array(z.object({})) }, 'inputSchema'],
  [askPerson({ schema: z.object({ from: z.date() }) }), 'outputSchema.from'],
];

/** Settings of a flow, the path that the refusal names, and the name that was meant. */
const flowRows: readonly (readonly [settings: object, path: string, nearest?: string])[] = [
  [{ toolAproval: { pay: 'user-approval' } }, 'toolAproval', 'toolApproval'],
  [{ tool_details: {} }, 'tool_details', 'toolDetails'],
  [{ mayAnwser: () => true }, 'mayAnwser', 'mayAnswer'],
  [{ [canary.slice(0, 4)]: 1 }, 'hunt'],
  [{ toolApproval: { pay: 'user_approval' } }, 'toolApproval.pay', 'user-approval'],
  [{ toolApproval: { pay: 'userApproval' } }, 'toolApproval.pay', 'user-approval'],
  [{ toolApproval: { pay: 'aproved' } }, 'toolApproval.pay', 'approved'],
  [{ toolApproval: { pay: true } }, 'toolApproval.pay'],
  [{ toolApproval: { pay: canary } }, 'toolApproval.pay'],
  [{ toolApproval: { pay: { type: 'user_approval' } } }, 'toolApproval.pay', 'user-approval'],
  [{ toolApproval: { pay: { type: 'denied', reason: 7 } } }, 'toolApproval.pay.reason'],
  [{ toolApproval: { pya: 'user-approval' } }, 'toolApproval.pya', 'pay'],
  [{ toolApproval: { constructor: 'denied' } }, 'toolApproval.constructor'],
  [{ toolApproval: 'user-approval' }, 'toolApproval'],
  [{ toolApproval: true }, 'toolApproval'],
  [{ toolDetails: { pya: {} } }, 'toolDetails.pya', 'pay'],
  [{ toolDetails: { pay: { aprovers: () => true } } }, 'toolDetails.pay.aprovers', 'approvers'],
  [{ toolDetails: { pay: { approvers: true } } }, 'toolDetails.pay.approvers'],
  ...optionRows.map(
    ([options, path]) => [{ toolDetails: { pay: { options } } }, `toolDetails.pay.options${path}`] as const,
  ),
  [{ toolDetails: { pay: { risk: 'hihg' } } }, 'toolDetails.pay.risk', 'high'],
  [{ toolDetails: { pay: { kind: 'mpc' } } }, 'toolDetails.pay.kind', 'mcp'],
  [{ toolDetails: { pay: { describe: 'Pays.' } } }, 'toolDetails.pay.describe'],
  [{ toolDetails: { pay: { idempotent: 'yes' } } }, 'toolDetails.pay.idempotent'],
  [{ toolDetails: { pay: { deadlineMs: -1 } } }, 'toolDetails.pay.deadlineMs'],
  [{ toolDetails: { pay: { title: '' } } }, 'toolDetails.pay.title'],
  [{ toolDetails: { pay: { secrets: { inputs: ['to'] } } } }, 'toolDetails.pay.secrets.inputs', 'input'],
  [{ toolDetails: { pay: { secrets: { input: 'to' } } } }, 'toolDetails.pay.secrets.input'],
  [{ toolDetails: { pay: { secrets: { input: ['to', 'a..b'] } } } }, 'toolDetails.pay.secrets.input[1]'],
  [{ toolDetails: { locate: { secrets: { input: [''] } } } }, 'toolDetails.locate.secrets.input'],
  [
    {
      toolDetails: { locate: { options: [approve, { ...approve, id: 'b', label: 'B', input: () => ({}) }] } },
    },
    'toolDetails.locate.options[1].input',
  ],
  [{ toolDetails: { pay: 'high' } }, 'toolDetails.pay'],
  [{ tools: { pay: canary } }, 'tools.pay'],
  [{ tools: { pay: { ...tools.pay, needsApproval: 'yes' } } }, 'tools.pay.needsApproval'],
  [{ tools: [tools.pay] }, 'tools'],
  ...schemaRows.map(([pay, path]) => [{ tools: { pay } }, `tools.pay.${path}`] as const),
  [{ toolsContext: { pya: {} } }, 'toolsContext.pya', 'pay'],
  [{ activeTools: ['pya'] }, 'activeTools[0]', 'pay'],
  [{ toolChoice: { type: 'tool', toolName: 'pya' } }, 'toolChoice.toolName', 'pay'],
  [{ toolChoice: 'requird' }, 'toolChoice', 'required'],
  [{ release: 'progresive' }, 'release', 'progressive'],
  [{ retry: true }, 'retry'],
  [{ retry: { delay: 5 } }, 'retry.delay', 'delayMs'],
  [{ retry: { delayMs: Number.NaN } }, 'retry.delayMs'],
  [{ mayChange: true }, 'mayChange'],
  [{ mayRead: true }, 'mayRead'],
  [{ mayAccess: () => true }, 'mayAccess'],
  [{ mayAnswer: 'owner' }, 'mayAnswer'],
  [{ deadlineMs: '60000' }, 'deadlineMs'],
  [{ deadlineMs: Number.NaN }, 'deadlineMs'],
  [{ deadlineMs: 0 }, 'deadlineMs'],
  [{ retentionMs: -1 }, 'retentionMs'],
  [{ leaseMs: 0 }, 'leaseMs'],
  [{ leaseMs: Number.POSITIVE_INFINITY }, 'leaseMs'],
  [{ sweepMs: 2 ** 31 }, 'sweepMs'],
  [{ stopGraceMs: -5 }, 'stopGraceMs'],
  [{ maxOutputBytes: 0 }, 'maxOutputBytes'],
  [{ toolDetails: { pay: { describeError: 'No.' } } }, 'toolDetails.pay.describeError'],
  [{ replayMs: '1 h' }, 'replayMs'],
  [{ auditKey: canary.slice(0, 15) }, 'auditKey'],
  [{ auditKey: 4_711 }, 'auditKey'],
  [{ maxRetries: 1.5 }, 'maxRetries'],
  [{ temperature: 'hot' }, 'temperature'],
  [{ stopWhen: [3] }, 'stopWhen[0]'],
  [{ prepareStep: {} }, 'prepareStep'],
  [{ prepareCall: {} }, 'prepareCall'],
  [{ runtimeContext: canary }, 'runtimeContext'],
  [{ reasoning: 'hihg' }, 'reasoning', 'high'],
  [{ output: { type: 'object' } }, 'output.parseCompleteOutput'],
  [{ toolOrder: ['pya'] }, 'toolOrder[0]', 'pay'],
  [{ toolCallConcurrency: 0 }, 'toolCallConcurrency'],
  [{ streamRetries: -1 }, 'streamRetries'],
  [{ timeout: '1 s' }, 'timeout'],
  [{ timeout: { total: 5 } }, 'timeout.total', 'totalMs'],
  [{ timeout: { tools: { pyaMs: 5 } } }, 'timeout.tools.pyaMs', 'payMs'],
  [{ include: { rawChunk: true } }, 'include.rawChunk', 'rawChunks'],
  [{ include: { rawChunks: 'yes' } }, 'include.rawChunks'],
  [{ experimental_transform: [true] }, 'experimental_transform[0]'],
  [{ experimental_download: true }, 'experimental_download'],
  [{ experimental_refineToolInput: { pya: () => ({}) } }, 'experimental_refineToolInput.pya', 'pay'],
  [
    { dynamicTools: true, experimental_refineToolInput: { later: () => ({}) } },
    'experimental_refineToolInput.later',
  ],
  [{ toolDetails: { pay: { previewRequired: true } } }, 'toolDetails.pay.previewRequired'],
  [{ constructor: () => ({}) }, 'constructor'],
  [{ allowSystemInMessages: 'no' }, 'allowSystemInMessages'],
  [{ id: 7 }, 'id'],
  [{ onEnd: true }, 'onEnd'],
  [{ onQestion: () => {} }, 'onQestion', 'onQuestion'],
  [{ random: 'seed' }, 'random'],
  [{ model: undefined }, 'model'],
  [{ model: '' }, 'model'],
  [{ model: { doGenerate() {} } }, 'model.doStream'],
  [{ store: undefined }, 'store'],
  [{ store: { ...store, append: undefined } }, 'store.append'],
  [{ store: { ...store, runs: { ...store.runs, requestStop: 'soon' } } }, 'store.runs.requestStop'],
  [{ store: { ...store, questions: undefined } }, 'store.questions'],
  [{ store: null }, 'store'],
  [{ store: { ...store, clock: Date } }, 'store.clock.measure'],
  [{ store: { ...store, clock: true } }, 'store.clock'],
  [{ logger: { warn() {} } }, 'logger.error'],
  [{ logger: () => {} }, 'logger.warn'],
  [{ clock: { now: () => 0 } }, 'clock.after'],
];

describe('createApprovalFlow refuses settings that would be ignored, or fail later', () => {
  it.each(flowRows)('%j: names %s', (settings, path, nearest) => {
    const refusal = refusalOf(() => flowOf(settings as object));
    expect(refusal).toMatchObject({ path, message: expect.stringContaining('createApprovalFlow') });
    expect(refusal.nearest).toBe(nearest);
    if (nearest !== undefined) expect(refusal.message).toContain(`Did you mean \`${nearest}\`?`);
  });

  it.each(Object.entries(refusedSettings))('refuses %s with the reason', (name, reason) => {
    const refusal = refusalOf(() => flowOf({ [name]: () => canary }));
    expect(refusal).toMatchObject({ path: name, message: expect.stringContaining(reason) });
  });

  it.each([[undefined], [null], ['settings'], [[]]])('%j is not accepted as settings', (settings) => {
    expect(refusalOf(() => createApprovalFlow(settings as never))).toMatchObject({ path: '' });
  });

  it.each<[what: string, settings: object]>([
    ['absent settings', { deadlineMs: undefined, toolApproval: undefined, logger: undefined }],
    ['a model’s id', { model: 'openai/gpt-5' }],
    ['every status', { toolApproval: { pay: 'denied', search: { type: 'approved', reason: 'Small.' } } }],
    ['statuses by functions', { toolApproval: { pay: () => 'approved', search: async () => undefined } }],
    ['one function for all', { toolApproval: () => undefined }],
    ['an entry that is not set', { toolApproval: { pay: undefined } }],
    ['a store with more methods', { store: { ...store, vacuum() {} } }],
    ['names before the tools are known', { tools: undefined, toolApproval: { later: 'user-approval' } }],
    ['names of tools that come and go', { dynamicTools: true, toolApproval: { later: 'denied' } }],
    [
      'names that a model vendor gives to tools of its MCP servers',
      {
        tools: { ...tools, mcp: { type: 'provider', id: 'openai.mcp', args: {} } },
        toolDetails: { 'mcp.multiply': { risk: 'low' } },
      },
    ],
    ['numbers at their limits', { stopGraceMs: 0, replayMs: 0, retry: { delayMs: 0 }, leaseMs: 1 }],
    ['no retry', { retry: false }],
    ['secrets', { toolDetails: { pay: { secrets: { input: ['to', 'a.*.b', ''], output: [''] } } } }],
  ])('accepts %s', (_what, settings) => {
    expect(() => flowOf(settings)).not.toThrow();
  });
});

const flow = fakeFlow({});
const authorize = () => null;
const session = () => ({ receive() {}, leave() {} });

/** Every server half, by the name in its refusal. */
const servers: Readonly<Record<string, (settings: never) => unknown>> = {
  createFetchHandler: (settings) => createFetchHandler(flow, settings),
  createSseHandlers: (settings) => createSseHandlers(flow, settings),
  createBidiServer: (settings) => createBidiServer(flow, settings),
  createSocketServer: (settings) => createSocketServer(settings, session),
  createUpgradeHandler: (settings) => createUpgradeHandler(flow, settings),
};

const serverRows: readonly (readonly [settings: object, path: string, nearest?: string])[] = [
  [{}, 'authorize'],
  [{ authorise: authorize }, 'authorise', 'authorize'],
  [{ authorize: canary }, 'authorize'],
  [{ authorize, callOptions: { plan: 'pro' } }, 'callOptions'],
  [{ authorize, allowedHost: ['*'] }, 'allowedHost', 'allowedHosts'],
  [{ authorize, allowedHosts: '*' }, 'allowedHosts'],
  [{ authorize, allowedOrigin: ['https://app.example.com'] }, 'allowedOrigin', 'allowedOrigins'],
  [{ authorize, allowedOrigins: 'https://app.example.com' }, 'allowedOrigins'],
  ...[
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/chat',
    'https://*.example.com',
    'https://App.example.com',
    'https://app.example.com:443',
    `https://ada:${canary}@app.example.com`,
    'file:///index.html',
    /https:.*/,
  ].map((origin): [object, string] => [
    { authorize, allowedOrigins: ['http://localhost:5173', origin] },
    'allowedOrigins[1]',
  ]),
  [{ authorize, rateLimit: { perMinute: 60 } }, 'rateLimit.take'],
  [{ authorize, concurrencyLimit: { feeds: 5 } }, 'concurrencyLimit.acquire'],
  [{ authorize, logger: {} }, 'logger.warn'],
  [{ authorize, clock: { now: Date.now } }, 'clock.after'],
  [{ authorize, limits: { bodyByte: 1 } }, 'limits.bodyByte', 'bodyBytes'],
  [{ authorize, limits: { messageBytes: -1 } }, 'limits.messageBytes'],
  [{ authorize, keepAliveMs: Number.NaN }, 'keepAliveMs'],
  [{ authorize, heartbeatMs: 0 }, 'heartbeatMs'],
  [{ authorize, maxOpenRequests: 0.5 }, 'maxOpenRequests'],
  [{ authorize, basePath: '/api/' }, 'basePath'],
  [{ authorize, dialects: { name: 'responses' } }, 'dialects'],
  [{ authorize, dialects: [responses(), insights()] }, 'dialects[1]'],
];

describe.each(Object.entries(servers))('%s', (name, create) => {
  it.each(serverRows)('refuses %j: names %s', (settings, path, nearest) => {
    const refusal = refusalOf(() => create(settings as never));
    expect(refusal).toMatchObject({ path });
    expect(refusal.message).toContain(`${name}:`);
    expect(refusal.nearest).toBe(nearest);
  });

  it('accepts settings that only another server half needs, because applications share one object', () => {
    const shared = { authorize, keepAliveMs: 1_000, limits: { bodyBytes: 1_000 }, heartbeatMs: 5_000 };
    expect(() => create(shared as never)).not.toThrow();
  });
});

const secret = canary.slice(0, 15);
const registry = sqliteStore({ path: ':memory:' });
afterAll(() => registry.close());
const { sessions } = registry;

describe('other factories refuse settings that would fail silently', () => {
  it.each<[string, () => unknown, string, string?]>([
    [
      'an unknown kind of item',
      () => responses({ serverTools: 'mcp-call' as never }),
      'serverTools',
      'mcp_call',
    ],
    ['no turns', () => responses({ maxTurns: 0 }), 'maxTurns'],
    ['results of no bytes', () => chatSocket({ maxResultBytes: 0 }), 'maxResultBytes'],
    ['a short cookie secret', () => createCookieIdentity({ secret, sessions }), 'secret'],
    ['no registry of sessions', () => createCookieIdentity({ secret: canary } as never), 'sessions'],
    [
      'a registry that ends nothing',
      () => createCookieIdentity({ secret: canary, sessions: { ...sessions, end: undefined } as never }),
      'sessions.end',
    ],
    [
      'handlers for sessions without a registry',
      () => createSessionHandlers({ authorize: () => null } as never),
      'sessions',
    ],
    ['no cookie secret', () => createCookieIdentity({} as never), 'secret'],
    [
      'a misspelt age',
      () => createCookieIdentity({ secret: canary, sessions, maxAge: 5 } as never),
      'maxAge',
      'maxAgeMs',
    ],
    [
      'an age of NaN',
      () => createCookieIdentity({ secret: canary, sessions, maxAgeMs: Number.NaN }),
      'maxAgeMs',
    ],
    [
      'an invalid cookie name',
      () => createCookieIdentity({ secret: canary, sessions, cookieName: 'a;b' }),
      'cookieName',
    ],
    [
      'a local user without a name',
      () => createCookieIdentity({ secret: canary, sessions, localUser: { id: 'x' } as never }),
      'localUser',
    ],
    ['a short bearer key', () => createBearerIdentity(`ci:${canary},${secret}`), 'list[1]'],
    ['no list of keys', () => createBearerIdentity(undefined as never), 'list'],
    ['a rate of NaN', () => createRateLimit({ perMinute: Number.NaN }), 'perMinute'],
    ['a misspelt rate', () => createRateLimit({ perMinutes: 5 } as never), 'perMinutes', 'perMinute'],
    ['a limit of nothing', () => createConcurrencyLimit({ feeds: 0 }), 'feeds'],
    [
      'a limit that never ends',
      () => createConcurrencyLimit({ sockets: Number.POSITIVE_INFINITY }),
      'sockets',
    ],
    ['a misspelt limit', () => createConcurrencyLimit({ request: 5 } as never), 'request', 'requests'],
    ['a short secret to derive from', () => deriveKey(secret, 'audit'), 'secret'],
    ['no path', () => sqliteStore({} as never), 'path'],
    ['a misspelt path', () => sqliteStore({ file: ':memory:' } as never), 'file'],
    ['a logger without methods', () => sqliteStore({ path: ':memory:', logger: {} as never }), 'logger.warn'],
    ['no address', () => postgresStore({} as never), 'connectionString'],
    ['an invalid address', () => postgresStore({ connectionString: canary }), 'connectionString'],
    [
      'an impossible schema',
      () => postgresStore({ connectionString: `postgres://u:${canary}@h/d`, schema: 'A' }),
      'schema',
    ],
    [
      'no connections',
      () => postgresStore({ connectionString: `postgres://u:${canary}@h/d`, maxConnections: 0 }),
      'maxConnections',
    ],
    [
      'client tools that are not a list',
      () => createSseTransport({ clientTools: 'locate' as never }),
      'clientTools',
    ],
    [
      'misspelt client tools',
      () => createSseTransport({ clientTool: [] } as never),
      'clientTool',
      'clientTools',
    ],
    ['an address that is not a string', () => createSseTransport({ api: 5 as never }), 'api'],
    ['client tools by number', () => createBidiTransport({ clientTools: [1] as never }), 'clientTools[0]'],
    ['a misspelt address', () => createBidiTransport({ ulr: '/x' } as never), 'ulr', 'url'],
  ])('%s', (_what, create, path, nearest) => {
    const refusal = refusalOf(create);
    expect(refusal.path).toBe(path);
    expect(refusal.nearest).toBe(nearest);
  });
});
