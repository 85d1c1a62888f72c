/** A client that the table of clients has a row for. */
export type ClientRow = {
  /** As the table shows it. */
  readonly name: string;
  /** In `tests/package/clients/`. */
  readonly program: string;
  /** The packages that its program imports, in the order of its arguments: the names under which they are installed. */
  readonly imports: readonly string[];
  /** What a program for several dialects reads. */
  readonly tasks?: 'two-step' | 'tool-events';
  /** Whether this repository has its packages, so that `npm test` runs it without an installation. */
  readonly isInstalled?: true;
};

/** What the folder of the clients installs, by name: several versions of one package have names of their own. */
export const clientPackages: Readonly<Record<string, string>> = {
  'openai-5': 'npm:openai@5.23.2',
  'openai-6': 'npm:openai@6.49.0',
  openai: '7.59.0',
  'ai-5': 'npm:ai@5.0.277',
  'ai-6': 'npm:ai@6.0.326',
  'ai-sdk-openai-2': 'npm:@ai-sdk/openai@2.0.131',
  'ai-sdk-openai-3': 'npm:@ai-sdk/openai@3.0.141',
  '@openai/agents': '0.20.0',
  '@openai/codex': '0.169.0',
  '@langchain/core': '1.4.0',
  '@langchain/openai': '1.6.0',
  '@llamaindex/core': '0.6.23',
  '@llamaindex/env': '0.1.31',
  '@llamaindex/openai': '0.4.23',
  'eventsource-2': 'npm:eventsource@2.0.2',
  'eventsource-3': 'npm:eventsource@3.0.7',
  'eventsource-4': 'npm:eventsource@4.1.1',
  '@microsoft/fetch-event-source': '2.0.1',
  'eventsource-client': '1.2.0',
  eventsource: '5.1.5',
  'launchdarkly-eventsource': '2.2.0',
  'reconnecting-websocket': '4.4.0',
  partysocket: '1.3.0',
  zod: '4.6.7',
};

/** Clients of the Responses gateway. */
export const responsesClients: readonly ClientRow[] = [
  { name: '`openai` 5.23.2', program: 'responses/openai.mjs', imports: ['openai-5'] },
  { name: '`openai` 6.49.0', program: 'responses/openai.mjs', imports: ['openai-6'] },
  { name: '`openai` 7.59.0', program: 'responses/openai.mjs', imports: ['openai'], isInstalled: true },
  {
    name: '`@ai-sdk/openai` 2.0.131, `ai` 5',
    program: 'responses/ai-sdk.mjs',
    imports: ['ai-sdk-openai-2', 'ai-5'],
  },
  {
    name: '`@ai-sdk/openai` 3.0.141, `ai` 6',
    program: 'responses/ai-sdk.mjs',
    imports: ['ai-sdk-openai-3', 'ai-6'],
  },
  {
    name: '`@ai-sdk/openai` 4.0.118, `ai` 7',
    program: 'responses/ai-sdk.mjs',
    imports: ['@ai-sdk/openai', 'ai'],
    isInstalled: true,
  },
  {
    name: '`@openai/agents` 0.20.0',
    program: 'responses/agents.mjs',
    imports: ['@openai/agents', 'openai', 'zod'],
  },
  {
    name: '`@langchain/openai` 1.6.0',
    program: 'responses/langchain.mjs',
    imports: ['@langchain/openai', '@langchain/core'],
  },
  {
    name: '`@llamaindex/openai` 0.4.23',
    program: 'responses/llamaindex.mjs',
    imports: ['@llamaindex/openai'],
  },
  { name: 'Codex CLI 0.169.0', program: 'responses/codex.mjs', imports: ['@openai/codex'] },
];

const eventSource5: ClientRow = {
  name: '`eventsource` 5.1.5',
  program: 'event-sources/standard.mjs',
  imports: ['eventsource'],
  isInstalled: true,
};

const eventSourceClient: ClientRow = {
  name: '`eventsource-client` 1.2.0',
  program: 'event-sources/eventsource-client.mjs',
  imports: ['eventsource-client'],
};

const fetchEventSource: ClientRow = {
  name: '`@microsoft/fetch-event-source` 2.0.1',
  program: 'event-sources/fetch-event-source.mjs',
  imports: ['@microsoft/fetch-event-source'],
};

/** Readers of the two-step stream. */
export const twoStepClients = reading('two-step', [
  { name: '`eventsource` 2.0.2', program: 'event-sources/standard.mjs', imports: ['eventsource-2'] },
  { name: '`eventsource` 3.0.7', program: 'event-sources/standard.mjs', imports: ['eventsource-3'] },
  { name: '`eventsource` 4.1.1', program: 'event-sources/standard.mjs', imports: ['eventsource-4'] },
  eventSource5,
  eventSourceClient,
  fetchEventSource,
  {
    name: '`launchdarkly-eventsource` 2.2.0',
    program: 'event-sources/standard.mjs',
    imports: ['launchdarkly-eventsource'],
  },
]);

/** Readers of the tool events. */
export const toolEventsClients = reading('tool-events', [
  // It takes seconds to connect again: the two-step stream has it in `npm test`.
  { ...eventSource5, isInstalled: undefined },
  eventSourceClient,
  fetchEventSource,
  {
    name: '`fetch` with `eventsource-parser` 3.1.1',
    program: 'event-sources/fetch-and-parser.mjs',
    imports: ['eventsource-parser'],
    isInstalled: true,
  },
]);

/** Clients of the chat socket. */
export const chatSocketClients: readonly ClientRow[] = [
  { name: '`ws` 8.23.0', program: 'sockets/ws.mjs', imports: ['ws'], isInstalled: true },
  { name: '`WebSocket` of Node 24', program: 'sockets/global.mjs', imports: [] },
  {
    name: '`reconnecting-websocket` 4.4.0',
    program: 'sockets/reconnecting.mjs',
    imports: ['reconnecting-websocket'],
  },
  { name: '`partysocket` 1.3.0', program: 'sockets/reconnecting.mjs', imports: ['partysocket'] },
];

function reading(tasks: ClientRow['tasks'], rows: readonly ClientRow[]): readonly ClientRow[] {
  return rows.map((row) => ({ ...row, tasks }));
}
