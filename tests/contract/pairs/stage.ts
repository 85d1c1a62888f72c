import type { ToolSet } from 'ai';
import type { FlowSettings } from 'countersign';
import { createApprovalFlow } from 'countersign';
import { createUpgradeHandler } from 'countersign/bidi/server';
import type { FlowPlugin, Subscriber } from 'countersign/plugin';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { createFetchHandler } from 'countersign/sse/server';
import { WebSocket } from 'ws';
import type { PageForms } from '../../../lib/channels/page-form.ts';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import type { Release } from '../../../lib/protocol/index.ts';
import type { Dialect } from '../../../lib/server/dialect.ts';
import { serve } from '../../../lib/testing/server/serve.ts';
import { createClients, type Reached } from '../../simulator/actors/client.ts';
import { createModel } from '../../simulator/actors/model.ts';
import { createSessions, type PersonName } from '../../simulator/actors/people.ts';
import type { PlanText } from '../../simulator/actors/plan.ts';
import { withSubagents } from '../../simulator/actors/subagents.ts';
import { createTools, type ToolName } from '../../simulator/actors/tools.ts';
import { createHistory } from '../../simulator/history.ts';
import { observedStore } from '../../simulator/machine/observed-store.ts';
import { createSimProcess } from '../../simulator/machine/process.ts';
import { randomOf } from '../../simulator/machine/random.ts';
import type { ClientSocket } from '../../simulator/machine/socket-pair.ts';
import type { Profile } from '../../simulator/schedule/profile.ts';
import { auditKey } from '../../simulator/schedule/stage.ts';
import { delegates } from '../../simulator/several/delegation.ts';
import { escalates } from '../../simulator/several/escalation.ts';
import type { SeveralProfile } from '../../simulator/several/profile.ts';
import { realWorld } from './real-world.ts';

export const chatId = 'c0-0';

/** A question that waits for an answer. */
export type Waiting = { readonly approvalId: string; readonly toolName: string; readonly toolCallId: string };

/** How one person may answer a question other than in the chat. */
export type Way = (question: Waiting, who: PersonName) => Promise<void>;

/** What a member of a pair did, as others can see it: `true`, or whatever is there instead. */
export type Proof = { readonly of: string; readonly holds: () => unknown };

/** What the members of a pair set up, each without knowledge of the other. */
export type Setup = {
  /** The address of the server. */
  readonly url: string;
  readonly plugins: FlowPlugin[];
  readonly subscribers: Subscriber[];
  readonly dialects: Dialect[];
  /** The calls of each step, in addition to those of every turn. */
  readonly steps: string[][];
  several?: Partial<SeveralProfile>;
  secret: ToolName[];
  /** Each is used once, before people answer in the chat. */
  readonly ways: Way[];
  /** What is done about a question before people answer it: some of them answer it. */
  readonly asked: ((question: Waiting) => Promise<void>)[];
  /** Tools that the simulator does not have, by name. */
  readonly tools: ToolSet;
  /** The forms of pages without scripts. */
  forms?: PageForms;
  /** Makes a link by which a person answers, and waits for one that was sent to them. */
  makeLink?: (approvalId: string, personId: string) => Promise<string>;
  /** Fills in the form of a question on the page of a link: texts by the paths of values. */
  fillIn?: (approvalId: string, personId: string, typed: Readonly<Record<string, string>>) => Promise<void>;
  sentLink?: (approvalId: string, personId: string) => Promise<string>;
  readonly before: (() => Promise<unknown>)[];
  readonly after: (() => Promise<unknown>)[];
  readonly proofs: Proof[];
  /** The stage, once it is open. */
  stage: () => Stage;
};

/** A way to run the suite. */
export type RowSettings = { readonly transport: 'SSE' | 'BIDI'; readonly release: Release };

export type Member = (setup: Setup) => void | Promise<void>;

/** Opens a flow with these members on a real server, observed as the simulator observes its own. */
export async function openStage(
  raw: FlowStore,
  { release, transport }: RowSettings,
  members: readonly Member[],
) {
  const served = await serve({
    fetch: (request) => handle(request),
    upgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head),
  });
  const setup: Setup = {
    ...{ url: served.url, plugins: [], subscribers: [], dialects: [], steps: [], secret: [] },
    ...{ ways: [], asked: [], tools: {}, before: [], after: [], proofs: [] },
    stage: () => stage,
  };
  for (const member of members) await member(setup);
  const several = setup.several && {
    voted: [],
    denials: 1 as const,
    isAskerIncluded: true,
    delegates: false,
    acts: 0,
    ...setup.several,
  };
  const hasSubagents = setup.steps.flat().includes('team');
  const secrets = { subscribers: [], takesMs: 0, verdicts: {}, troubles: 0, secret: setup.secret };
  const profile: Profile = {
    ...{
      instances: 1,
      chats: 1,
      steps: 0,
      gapMs: 0,
      delayMs: 0,
      repeats: 0,
      skewMs: [0],
      modelFaults: false,
    },
    ...{ auditKey: true, release, tools: [], acts: {}, faults: {}, faultRate: 0, callOptions: false },
    ...{ dataParts: false, subagents: hasSubagents, imports: false, several },
    ...(setup.secret.length > 0 && { subscriptions: secrets }),
  };
  const world = realWorld();
  const history = createHistory(world, profile);
  const process = createSimProcess(world, 'one', 0);
  const calls = new Map<string, number>();
  const modelOf = (agent?: string) =>
    createModel(world, history, process, {
      random: randomOf(1, 'model'),
      faults: false,
      agent,
      nextCallId(id) {
        calls.set(id, (calls.get(id) ?? 0) + 1);
        return `call-${calls.get(id)}`;
      },
    });
  const toolsOf = (path?: string) =>
    createTools(world, history, process, { version: 1, path, has: () => true });
  const sessions = createSessions();
  const store = observedStore(raw, history, () => ({ name: 'one', version: 1 }));
  const logger = {
    warn: () => {},
    error: (text: string, facts?: unknown) => void failures.push([text, facts]),
  };
  const failures: unknown[] = [];
  const notified =
    setup.subscribers.length > 0
      ? [subscriptions({ subscribers: setup.subscribers, baseUrl: setup.url })]
      : [];
  const ofSeveral = several ? [escalates(several), ...(several.delegates ? [delegates()] : [])] : [];
  const ofSimulator = hasSubagents ? withSubagents(toolsOf, modelOf) : toolsOf();
  const flow = createApprovalFlow({
    ...ofSimulator,
    tools: { ...ofSimulator.tools, ...setup.tools },
    ...{ model: modelOf(), store, logger, release, auditKey, maxRetries: 0 },
    ...{ sweepMs: 50, stopGraceMs: 50, checkpointMs: 2_000 },
    mayOperate: ({ id }) => id === 'cleo',
    plugins: [...setup.plugins, ...notified, ...ofSeveral],
  } as FlowSettings & { plugins: readonly FlowPlugin[] });
  const server = { authorize: sessions.authorize, logger, dialects: setup.dialects };
  const handle = createFetchHandler(flow, server);
  const sockets = createUpgradeHandler(flow, server);
  const reached: Reached = {
    ...{ name: 'one', process },
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      return fetch(`${served.url}${pathname}${search}`, {
        ...{ method, headers },
        ...(method !== 'GET' && { body: await request.text() }),
      });
    },
    connect: (handshake) => connect(served.url, handshake),
  };
  const stage = {
    ...{ world, history, profile, raw, flow, transport, reached, setup, failures, sessions },
    clients: createClients(world, history),
    log: () => history.logs.get(chatId) ?? [],
    async close() {
      process.kill();
      await flow.close();
      await sockets.close();
      await served.close();
    },
  };
  return stage;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The steps of a turn: two payments, and what its members add. */
export function planOf({ steps }: Setup): PlanText {
  return [
    ['pay:1'],
    ['pay:2', 'quick:1'],
    ...steps.map((step) => step.map((call) => (call === 'team' ? [['pay:5']] : call))),
  ];
}

async function connect(url: string, handshake: Request): Promise<ClientSocket> {
  const { pathname } = new URL(handshake.url);
  const socket = new WebSocket(`${url.replace('http', 'ws')}${pathname}`, {
    headers: { 'x-person': handshake.headers.get('x-person') ?? '' },
  });
  const client: ClientSocket = {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    send: (text) => socket.send(text),
    close: () => socket.close(),
    onMessage: () => {},
    onClose: () => {},
  };
  socket.on('message', (data) => client.onMessage(String(data)));
  socket.on('close', (code) => client.onClose(code));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return client;
}
