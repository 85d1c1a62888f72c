// depends on: only its imports
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { baseURL, expectText, Lacking, packages, report } from '../report.mjs';
import { apiKey, expectPlace, model, place, prompts, tasksInText } from './tasks.mjs';

const [name] = packages;
const program = resolve(import.meta.dirname, `../node_modules/${name}/bin/codex.js`);
const folder = await mkdtemp(join(tmpdir(), 'countersign-codex-'));
const outside = await refusingProxy();

/** Sub-agents are a tool of the type `namespace`. Plugins and apps are looked for on the Internet. */
const config = `
model = "${model}"
model_provider = "countersign"
web_search = "disabled"
check_for_update_on_startup = false
[agents]
enabled = false
[features]
apps = false
plugins = false
[analytics]
enabled = false
[model_providers.countersign]
name = "Countersign"
base_url = "${baseURL}"
env_key = "COUNTERSIGN_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
await writeFile(join(folder, 'config.toml'), config);
await writeFile(join(folder, 'place.json'), JSON.stringify(place));

/** All that is not on the loopback interface would go through this proxy. */
async function refusingProxy() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(502).end();
  });
  server.on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { asked, url: `http://127.0.0.1:${server.address().port}` };
}

/** Runs the program to its end. @returns the events that it prints */
async function codex(...args) {
  const env = {
    ...process.env,
    CODEX_HOME: folder,
    COUNTERSIGN_KEY: apiKey,
    HTTPS_PROXY: outside.url,
    HTTP_PROXY: outside.url,
    NO_PROXY: '127.0.0.1',
  };
  const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] };
  const child = spawn(process.execPath, [program, 'exec', ...args], options);
  let printed = '';
  for await (const piece of child.stdout.setEncoding('utf8')) printed += piece;
  if (outside.asked.length > 0) throw new Error(`it asks ${outside.asked.join(', ')}`);
  return printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

const flags = ['--skip-git-repo-check', '--json'];

/** One thread, which later runs of the program resume. It is read-only. */
function thread(...more) {
  let id;
  return async (text) => {
    const events =
      id === undefined
        ? await codex(...flags, '--sandbox', 'read-only', ...more, text)
        : await codex('resume', ...flags, id, text);
    id ??= events.find(({ type }) => type === 'thread.started')?.thread_id;
    const failure = events.find(({ type }) => type === 'turn.failed');
    if (failure) throw new Error(reasonIn(failure.error.message));
    const messages = events.filter(({ item }) => item?.type === 'agent_message');
    return messages.map(({ item }) => item.text).join('');
  };
}

/** The server's message in an error, which is JSON as the server sent it. */
function reasonIn(text) {
  return text.startsWith('{') ? JSON.parse(text).error.message : text;
}

/** Without its name it would get the question as an item, but it shows none. Its code is a binary. */
async function lacksQuestions() {
  const { url, close } = await anonymousProxy();
  try {
    const shown = await thread('-c', `model_providers.countersign.base_url="${url}"`)(prompts.approve);
    if (shown.includes('apr_')) throw new Error('it has questions now');
  } finally {
    close();
  }
  throw new Lacking('items `mcp_approval_request` are dropped, in its binary; the gateway asks it in text');
}

/** Sends all requests on, under another user agent. */
async function anonymousProxy() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { authorization } = request.headers;
    const headers = { authorization, 'content-type': 'application/json', 'user-agent': 'anonymous' };
    const answer = await fetch(baseURL + request.url, { method: request.method, headers, body });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') });
    response.end(await answer.text());
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

await report(
  {
    text: async () => expectText(await thread()(prompts.text), 'Hello.'),
    // It reads streams only.
    stream: async () => expectText(await thread()(prompts.stream), 'Hello.'),
    serverTool: async () => expectText(await thread()(prompts.serverTool), 'It is sunny.'),
    approve: lacksQuestions,
    deny: lacksQuestions,
    async continue() {
      const say = thread();
      await say(prompts.continue[0]);
      expectText(await say(prompts.continue[1]), 'Ada.');
    },
    clientTool: async () => expectText(await thread()(prompts.clientTool), 'It is 9.'),
    structured: async () =>
      expectPlace(
        JSON.parse(await thread('--output-schema', join(folder, 'place.json'))(prompts.structured)),
      ),
    ...tasksInText(thread),
    subAgents: async () => expectText(await thread('-c', 'agents.enabled=true')(prompts.text), 'Hello.'),
  },
  { seconds: 60, end: () => rm(folder, { recursive: true }) },
);
