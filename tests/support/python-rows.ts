import type { ClientRow } from './client-rows.ts';

/** What `npm run docs:clients -- --python` installs into a virtual environment, by name. */
export const pythonPackages: Readonly<Record<string, string>> = {
  openai: '3.22.1',
  httpx: '0.28.1',
  'httpx-sse': '0.4.3',
  websockets: '17.1',
  'websocket-client': '1.9.2',
};

const row = (name: string, program: string): ClientRow => ({
  name: `\`${name}\` ${pythonPackages[name]} (Python)`,
  program: `python/${program}.py`,
  imports: [],
});

/** The clients in Python, by the table that shows them. Programs are run with the interpreter of the environment. */
export const pythonClients = {
  responses: [row('openai', 'openai_responses')],
  'two-step-stream': [row('httpx-sse', 'httpx_two_step')],
  'chat-socket': [row('websockets', 'websockets_chat'), row('websocket-client', 'websocket_client_chat')],
} as const;
