import type { FlowPlugin } from 'countersign/plugin';
import { endSession } from '../../../lib/bidi/close-when-session-ends.ts';
import { serveConnection } from '../../../lib/bidi/connection.ts';
import { keepBeating } from '../../../lib/bidi/heartbeat.ts';
import { createSocketWriter } from '../../../lib/bidi/socket-writer.ts';
import { createApprovalFlow, type FlowSettings } from '../../../lib/flow/index.ts';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { imports } from '../../../lib/plugins/imports/index.ts';
import { insights } from '../../../lib/plugins/insights/index.ts';
import { operations } from '../../../lib/plugins/operations/index.ts';
import { preApprovals } from '../../../lib/plugins/pre-approvals/index.ts';
import { remembered } from '../../../lib/plugins/remembered/index.ts';
import { subscriptions } from '../../../lib/plugins/subscriptions/index.ts';
import { votes } from '../../../lib/plugins/votes/index.ts';
import type { Subscriber } from '../../../lib/protocol/subscriber.ts';
import { createSessionWatch } from '../../../lib/server/identity/session-watch.ts';
import { createConcurrencyLimit } from '../../../lib/server/limits/concurrency-limit.ts';
import { defaultChatLimits } from '../../../lib/server/limits/size-limits.ts';
import { createRepeatedAnswers } from '../../../lib/server/repeats/repeated-answers.ts';
import { identify, type ServerSettings } from '../../../lib/server/route.ts';
import { createFetchHandler } from '../../../lib/sse/server.ts';
import { callOptions } from '../actors/call-options.ts';
import { createModel } from '../actors/model.ts';
import { withSubagents } from '../actors/subagents.ts';
import { createTools } from '../actors/tools.ts';
import { createDialectEndpoints } from '../dialects/endpoints.ts';
import type { History } from '../history.ts';
import type { PluginName } from '../lists/profile.ts';
import { delegates } from '../several/delegation.ts';
import { escalates } from '../several/escalation.ts';
import { createSimProcess, type SimProcess } from './process.ts';
import type { Random } from './random.ts';
import { type ClientSocket, serveTexts, socketPair } from './socket-pair.ts';
import { type Line, storePort } from './store-port.ts';
import type { World } from './world.ts';

/** The flow's time limits in virtual milliseconds. They are short, so that one schedule covers a lot. */
export const times = {
  leaseMs: 3_000,
  sweepMs: 1_000,
  stopGraceMs: 800,
  retryMs: 100,
  heartbeatMs: 2_000,
  sessionCheckMs: 1_000,
};

/** The parameters of an instance. */
export type InstanceOptions = {
  readonly name: string;
  /** The version of its tools. */
  readonly version: number;
  readonly skewMs: number;
  readonly delayMs: number;
  readonly repeats: number;
  readonly modelFaults: boolean;
  readonly store: FlowStore;
  readonly random: Random;
  readonly authorize: ServerSettings['authorize'];
  /** Call ids per chat. Two chats have the same ids, as with many models. */
  readonly nextCallId: (chatId: string) => string;
  readonly settings: Partial<FlowSettings>;
  /** The plugins that it has. */
  readonly list: ReadonlySet<PluginName>;
  readonly subagents: boolean;
  /** Receive its events, if it has subscriptions. */
  readonly subscribers?: (process: SimProcess) => readonly Subscriber[];
};

/** One instance of the product: the real flow, its Web handlers and its socket connections, in its own process. */
export function createInstance(world: World, history: History, options: InstanceOptions) {
  const { name, version, random, authorize } = options;
  const process = createSimProcess(world, name, options.skewMs);
  const line: Line = {
    isCut: false,
    losesNotifications: false,
    repeats: options.repeats,
    delayMs: options.delayMs,
  };
  const modelOf = (agent?: string) =>
    createModel(world, history, process, {
      random,
      faults: options.modelFaults,
      nextCallId: options.nextCallId,
      agent,
    });
  const model = modelOf();
  const has = (plugin: string) => new Set<string>(options.list).has(plugin);
  const toolsOf = (path?: string) => createTools(world, history, process, { version, path, has });
  const tools = options.subagents ? withSubagents(toolsOf, modelOf) : toolsOf();
  let ids = 0;

  function die(): void {
    if (process.state === 'dead') return;
    world.note(`${name} dies`);
    history.killed.set(name, history.moment());
    process.kill();
  }

  function freeze(ms: number): void {
    if (process.state !== 'alive') return;
    world.note(`${name} freezes`);
    process.freeze();
    const away: History['away'][number] = { instance: name, fromMs: world.elapsed() };
    history.away.push(away);
    world.after(ms, () => {
      if (process.state !== 'frozen') return;
      world.note(`${name} thaws`);
      process.thaw();
      away.toMs = world.elapsed();
      history.back.push({ instance: name, atMs: world.elapsed() });
    });
  }

  const logger = { warn: () => {}, error: () => {} };
  const flow = createApprovalFlow({
    leaseMs: times.leaseMs,
    sweepMs: times.sweepMs,
    stopGraceMs: times.stopGraceMs,
    retry: { delayMs: times.retryMs },
    maxRetries: 0,
    ...tools,
    ...options.settings,
    plugins: [
      imports(),
      remembered(),
      votes(),
      subscriptions({ subscribers: options.subscribers?.(process) ?? [] }),
      escalates(history.profile.several),
      delegates(),
      operations(),
      insights(),
      preApprovals(),
    ].filter(({ name }: FlowPlugin) => has(name)),
    model,
    store: storePort(options.store, {
      world,
      process,
      random,
      line,
      die,
      freeze: () => freeze(2 * times.leaseMs),
      onCommitFault: () => void history.commitFaults.push({ instance: name, moment: history.moment() }),
    }),
    clock: process.clock,
    logger,
    random: () => `${name.replace('.', '-')}_${++ids}`,
  });
  const server = {
    authorize,
    ...(options.settings.prepareCall && { callOptions }),
    logger,
    clock: process.clock,
    sessionCheckMs: times.sessionCheckMs,
    concurrencyLimit: createConcurrencyLimit(),
  } satisfies ServerSettings;
  const watch = createSessionWatch(server);
  const handle = createFetchHandler(flow, server);
  const repeated = createRepeatedAnswers(server, 'countersign/bidi');
  // Their limits are their own, so that their readers do not take the places of others.
  const { concurrencyLimit: _own, ...dialectServer } = server;
  const dialects = history.profile.dialects && createDialectEndpoints(flow, dialectServer);

  const broken = () =>
    process.died.then((): never => {
      throw new TypeError('fetch failed');
    });

  /** Delivers a request when the process is running. @throws TypeError if it has ended */
  async function reach(): Promise<void> {
    await world.sleep(1);
    await Promise.race([process.gate(), broken()]);
  }

  return {
    name,
    version,
    process,
    line,
    flow,
    die,
    freeze,

    /** What a client of this instance receives. @throws TypeError if the connection breaks */
    async fetch(request: Request): Promise<Response> {
      await reach();
      return Promise.race([dialects?.handle(request) ?? handle(request), broken()]);
    },

    /** Opens a socket, as `acceptSockets` does. @throws CountersignError if nobody is signed in */
    async connect(handshake: Request, protocol?: 'chat-socket'): Promise<ClientSocket> {
      await reach();
      await Promise.race([identify(server, handshake), broken()]);
      const isSlow = protocol === 'chat-socket' && (history.profile.dialects?.slow ?? 0) > 0;
      const { server: socket, client } = socketPair(world, process, { isSlow });
      const send = createSocketWriter(socket, { cork: () => {}, uncork: () => {} });
      if (protocol === 'chat-socket' && dialects?.openSession) {
        serveTexts(socket, handshake, { open: dialects.openSession, send });
      } else {
        const settings = { ...server, repeated, limits: defaultChatLimits, maxOpenRequests: 32 };
        socket.on('close', serveConnection(flow, settings, { socket, handshake, send }));
      }
      socket.on('close', keepBeating(socket, process.clock, times.heartbeatMs));
      socket.on(
        'close',
        watch(handshake, () => endSession(socket)),
      );
      return client;
    },

    /** Ends it like an operator: work in progress may finish, then the process exits. */
    async close(): Promise<void> {
      world.note(`${name} closes`);
      await flow.close();
      if (process.state === 'dead') return;
      world.note(`${name} has closed`);
      history.closed.set(name, history.moment());
      process.kill();
    },
  };
}

/** @see createInstance */
export type Instance = ReturnType<typeof createInstance>;
