import { readFileSync } from 'node:fs';
import { fileOf, readModule } from './module.mjs';

/**
 * One export of the package. A name that another entry point owns is an alias here, listed in one line.
 *
 * @typedef {import('./module.mjs').Declaration} Declaration
 * @typedef {{ name: string, declarations: readonly Declaration[] }} Entry
 * @typedef {{ name: string, page: string, file: string, about: string, entries: readonly Entry[],
 *   aliases: ReadonlyMap<string, string>, inner: readonly Entry[] }} EntryPoint `name` as it is imported
 *   (`countersign/sse`); `aliases`: names and the file of the entry point they belong to; `inner`: types that the entries
 *   mention and no entry point exports
 */

/**
 * One sentence for each entry point. An entry point without a sentence is refused, and so is a sentence without an
 * entry point.
 */
const about = {
  countersign: 'The engine: `createApprovalFlow` and its settings.',
  'countersign/audit': 'Checks of audit records and of the logs of a store.',
  'countersign/plugin': 'What plugins get and give: types alone.',
  'countersign/views': 'Views of a chat: the chunks that `useChat` reads, and the timeline.',
  'countersign/store': 'Both stores for the log: SQLite in a file, and Postgres. Needs `node:sqlite`.',
  'countersign/store/postgres': 'The store on Postgres alone. Needs the package `pg`.',
  'countersign/store/sqlite': 'The store on SQLite alone. Needs `node:sqlite` (Node 22.13 or newer).',
  'countersign/http/server': 'Chats, approvals, identity and the guard, as handlers of Web requests.',
  'countersign/sse': 'For pages, over server-sent events: a transport for `useChat`, and its predicate.',
  'countersign/sse/server': 'The chat endpoints over server-sent events.',
  'countersign/bidi': 'For pages, over a WebSocket: a transport for `useChat`, and its predicate.',
  'countersign/bidi/server': 'The chat endpoint over a WebSocket. Needs the package `ws`.',
  'countersign/dialects': 'For other protocols, on the server: projections of a turn.',
  'countersign/dialects/client': 'For other protocols, in pages: what their clients share.',
  'countersign/plugins/agent-requests': 'Requests of agents outside the flow, as a plugin.',
  'countersign/plugins/api-documents': 'The OpenAPI and AsyncAPI documents of a server.',
  'countersign/plugins/chat-socket': 'Chats over a WebSocket without the AI SDK, as a dialect.',
  'countersign/plugins/chat-socket/client': 'The chat socket, for pages and programs.',
  'countersign/plugins/delegation': 'People who answer for others, as a plugin.',
  'countersign/plugins/delegation/react': 'What a card says about delegation.',
  'countersign/plugins/escalation/react': 'What a card says about escalation.',
  'countersign/plugins/imports': 'Chats of other apps, as a plugin.',
  'countersign/plugins/escalation': 'Reminders, and more people who may answer after a time, as a plugin.',
  'countersign/plugins/insights': 'How people answer, as a plugin.',
  'countersign/plugins/forms': 'Forms on pages of answer links.',
  'countersign/plugins/forms/react': 'Forms and options on a card.',
  'countersign/plugins/links':
    'Links by which a person answers one question, on pages without JavaScript, as a plugin.',
  'countersign/plugins/operations': 'What needs an operator, as a plugin.',
  'countersign/plugins/pre-approvals':
    'Calls that people approve before their questions are due, as a plugin.',
  'countersign/plugins/pre-approvals/react': 'What an inbox shows of pre-approvals.',
  'countersign/plugins/rehearsal': 'Policies, tried on past calls, as a plugin.',
  'countersign/plugins/remembered': 'Approvals that people have remembered, as a plugin.',
  'countersign/plugins/remembered/react': 'What a card shows of remembered approvals.',
  'countersign/plugins/responses': "OpenAI's Responses API, as a dialect.",
  'countersign/plugins/responses/client': 'The Responses API, for pages and programs.',
  'countersign/plugins/subscriptions': 'Events for subscribers, as a plugin.',
  'countersign/plugins/telemetry': 'Traces and metrics, as a plugin.',
  'countersign/plugins/votes': 'Several people approve one call, as a plugin.',
  'countersign/plugins/tool-events': 'A turn as tool invocation events, as a dialect.',
  'countersign/plugins/tool-events/client': 'The tool events, for pages and programs.',
  'countersign/plugins/tool-events/react': 'The tool events, for pages with React.',
  'countersign/plugins/two-step-stream': 'A message, and a stream that is read by itself, as a dialect.',
  'countersign/plugins/two-step-stream/client': 'The two-step stream, for pages and programs.',
  'countersign/plugins/votes/react': 'What a card says about votes.',
  'countersign/plugins/webhooks': 'A subscriber that sends signed webhooks. Needs Node.',
  'countersign/plugins/slack': 'A channel that asks in Slack, and takes answers there.',
  'countersign/plugins/email':
    'A subscriber that sends e-mails. Needs a transport, such as the package `nodemailer`.',
  'countersign/client': 'For pages without React: the state of a chat, for any framework.',
  'countersign/react': 'Hooks and components for pages.',
  'countersign/testing': 'The test kit.',
};

/**
 * The entry points of package.json, in order, with all exports.
 *
 * @param {string} folder of declarations
 * @returns {EntryPoint[]}
 * @throws {Error} for an entry point without a sentence, and for an export without a declaration or docstring
 */
export function readEntryPoints(folder) {
  const { name: packageName, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entryPoints = Object.entries(exports)
    .filter(([path]) => !path.endsWith('.css'))
    .map(([path, targets]) => ({
      name: path.replace('.', packageName),
      file: targets['countersign-source'].replace(/^\.\/lib\/|\.tsx?$/g, ''),
    }));
  const differing = new Set([...Object.keys(about), ...entryPoints.map(({ name }) => name)]).values();
  for (const name of differing) {
    if (about[name] && entryPoints.some((entryPoint) => entryPoint.name === name)) continue;
    throw new Error(
      `scripts/api-reference/entry-points.mjs and package.json disagree about the entry point ${name}.`,
    );
  }
  const reader = createReader(folder, new Set(entryPoints.map(({ file }) => file)));
  const known = new Set(entryPoints.flatMap(({ file }) => reader.entries(file).entries.map(keyOf)));
  return entryPoints.map(({ name, file }) => ({
    name,
    file,
    page: `${name.replace('countersign/', '').replaceAll('/', '-')}.md`,
    about: about[name],
    ...reader.entries(file),
    inner: reader.inner(reader.entries(file).entries, known),
  }));
}

/**
 * The other exports of package.json, which are not modules.
 *
 * @returns {string[]}
 */
export function readFiles() {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys(exports)
    .filter((path) => path.endsWith('.css'))
    .map((path) => path.replace('.', name));
}

function keyOf({ declarations: [first] }) {
  return `${first.file}#${first.name}`;
}

function createReader(folder, doorFiles) {
  const modules = new Map();
  const module = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(folder, file));
    return modules.get(file);
  };

  /** Follows a name to its declaration, or to the entry point that owns it. */
  function resolve(link, from) {
    const { file, name } = link;
    if (file !== from && doorFiles.has(file)) return { entryPoint: file };
    const { declarations, links, exports, stars } = module(file);
    if (declarations.has(name)) return { declarations: declarations.get(name) };
    const next = links.get(name) ?? exports.get(name);
    if (next) return resolve(next, from);
    for (const star of stars) {
      const found = resolve({ file: star, name }, from);
      if (found) return found;
    }
    return undefined;
  }

  function entries(file) {
    const found = [];
    const aliases = new Map();
    const { exports, stars } = module(file);
    const links = [...exports];
    for (const star of stars) {
      for (const name of module(star).exports.keys()) links.push([name, { file: star, name }]);
    }
    for (const [name, link] of links.sort(([a], [b]) => byName(a, b))) {
      const resolved = resolve(link, file);
      if (!resolved) throw new Error(`${name} of ${file} has no declaration.`);
      if (resolved.entryPoint) {
        aliases.set(name, resolved.entryPoint);
        continue;
      }
      if (resolved.declarations.every(({ comment }) => comment === '')) undocumented(name, file);
      found.push({ name, declarations: resolved.declarations });
    }
    return { entries: found, aliases };
  }

  /** The types that these declarations mention, directly or indirectly, except those that an entry point exports. */
  function inner(entries, known) {
    const found = new Map();
    const queue = entries.flatMap(({ declarations }) => declarations);
    for (const declaration of queue) {
      for (const [name, request] of declaration.types) {
        const file = request === undefined ? declaration.file : fileOf(declaration.file, request);
        const resolved = file === undefined ? undefined : resolve({ file, name }, file);
        if (!resolved?.declarations) continue;
        const entry = { name, declarations: resolved.declarations };
        if (known.has(keyOf(entry)) || found.has(keyOf(entry))) continue;
        found.set(keyOf(entry), entry);
        queue.push(...resolved.declarations);
      }
    }
    return [...found.values()].sort((a, b) => byName(a.name, b.name));
  }

  return { entries, inner };
}

function undocumented(name, file) {
  throw new Error(`${name}, an export of lib/${file}, has no docstring.`);
}

/** Case-insensitive, and the same on every machine. */
function byName(a, b) {
  return compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b);
}

function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
