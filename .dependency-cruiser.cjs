const { builtinModules } = require('node:module');
const { Visitor } = require('@swc/core/Visitor.js');

/**
 * The import rules. Each folder of lib/ names the folders that it may import; every other import is an error.
 * `tests/unit/import-rules.test.ts` plants one violation per rule and checks that each is caught.
 *
 * Data flows one way: commands → log → views → the wire.
 */
const log = ['runtime', 'protocol'];
const settings = ['log', ...log];
const rights = ['settings', ...settings];
const views = ['rights', ...rights];
const run = ['views', ...views];
const commands = ['run', ...run];
const flow = ['commands', ...commands];
const server = ['flow', 'commands', 'views', 'rights', 'log', ...log];
const transport = ['client', 'server', ...server];
const arrows = {
  protocol: [],
  runtime: [],
  log,
  settings,
  rights,
  views,
  run,
  commands,
  flow,
  stores: ['log', ...log],
  server,
  client: ['protocol'],
  sse: transport,
  bidi: transport,
  dialects: ['client', 'server', ...server],
  channels: ['client', 'protocol'],
  react: ['client', 'protocol'],
  plugins: ['cli', 'channels', 'dialects', 'client', 'server', 'flow', ...flow],
  testing: ['bidi', 'sse', 'dialects', 'stores', 'settings', 'react', ...transport],
  cli: ['plugins', 'testing', 'bidi', 'sse', 'dialects', 'stores', 'settings', 'react', ...transport],
};

/** What runs in a browser: the client halves of transports and plugins, what they share, and everything of client/ and react/. */
const transportClient = '^lib/(sse|bidi)/(client|send-automatically-when)[^/]*[.]tsx?$';
const dialectClient = '^lib/dialects/client/';
const pluginClient = '^lib/plugins/[^/]+/(client|react)/';
const client = `${transportClient}|${dialectClient}|${pluginClient}|^lib/(client|react)/`;
const serverSide =
  '^lib/(runtime|log|settings|rights|views|run|commands|flow|stores|server|plugins/(?![^/]+/(client|react)/))/|^lib/(sse|bidi)/server';

const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const nodeBuiltins = `^(node:.*|${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`;

/**
 * What is for Node alone: the SQLite store, the WebSocket server, webhooks, the test kit, the command line, and
 * the commands and checks of plugins. `stores/index.ts` exports both stores.
 */
const nodeOnly =
  '^lib/(stores/sqlite|bidi|testing|cli|plugins/webhooks)/|^lib/stores/index[.]ts$|^lib/plugins/[^/]+/(command|check)([.]ts$|/)';

const drivers = `${npm('pg', 'pg-[a-z-]+', 'better-sqlite3')}|^(node:)?sqlite$`;
const sockets = npm('ws');
const react = npm('react', 'react-dom', '@ai-sdk/react', 'next');

const rooms = Object.entries(arrows).map(([room, may]) => ({
  name: `folder-${room}`,
  comment: `lib/${room} may import ${may.length > 0 ? may.join(', ') : 'nothing'} of ours.`,
  severity: 'error',
  from: { path: `^lib/${room}/`, ...(room === 'plugins' && { pathNot: pluginClient }) },
  to: {
    path: '^(lib|app|tests|scripts|server[.]ts)(/|$)',
    pathNot: [
      `^lib/(${[room, ...may].join('|')})/`,
      ...(room === 'react' || room === 'client' ? [transportClient] : []),
    ],
  },
}));

/** Nobody may import what was not installed by name, so a missing package hides no arrow. */
const resolvable = {
  name: 'resolvable',
  comment: 'An import that resolves to nothing escapes every other rule.',
  severity: 'error',
  // What the bench compares us with, and the clients that a test runs, are installed there alone.
  from: { path: '^(lib|app|tests|server[.]ts)', pathNot: '^tests/(bench/peers|package/clients)/' },
  to: { couldNotResolve: true },
};

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'client-halves-of-plugins',
      comment:
        'The client half of a plugin may import client, react, protocol, what dialects share, and the client half of its plugin.',
      severity: 'error',
      from: { path: '^lib/plugins/([^/]+)/(client|react)/' },
      to: {
        path: '^(lib|app|tests|scripts|server[.]ts)(/|$)',
        pathNot: '^lib/(client|react|protocol|dialects/client|plugins/$1/(client|react))/',
      },
    },
    {
      name: 'every-folder-has-arrows',
      comment: 'A new folder in lib/ gets a row in `arrows` first.',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(${Object.keys(arrows).join('|')})/` },
      to: {},
    },
    {
      name: 'app-uses-entry-points',
      comment:
        'The app and its server import the library by an entry point of package.json, as its users do.',
      severity: 'error',
      from: { path: '^(app/|server[.]ts$)' },
      to: { path: '^(lib|tests|scripts)/', dependencyTypes: ['local'] },
    },
    {
      name: 'client-stays-in-the-browser',
      comment: 'Nothing that runs in a browser may reach the engine, a store, a server or Node.',
      severity: 'error',
      from: { path: client },
      to: { path: `${serverSide}|${nodeBuiltins}|${sockets}|${drivers}`, reachable: true },
    },
    {
      name: 'protocol-is-pure',
      comment: 'The protocol runs anywhere: no Node, no React, no driver.',
      severity: 'error',
      from: { path: '^lib/protocol/' },
      to: { path: `${nodeBuiltins}|${react}|${sockets}|${drivers}` },
    },
    {
      name: 'raw-events-stay-inside',
      comment:
        'Views get events that lib/views/reader has folded and redacted. Only the transcript and the audit fold raw ones.',
      severity: 'error',
      from: {
        path: '^lib/(views|flow|server|sse|bidi|dialects|channels|plugins/(slack|email|links|chat-socket|responses|tool-events|two-step-stream)|client|react|testing|cli)/',
        pathNot: '^lib/views/((reader|audit)/|transcript|chat-messages)',
      },
      to: { path: '^lib/log/(turn/fold-turn|events/)' },
    },
    {
      name: 'runs-anywhere',
      comment: 'Other runtimes lack the modules of Node. Ask lib/runtime for what they do.',
      severity: 'error',
      from: { path: '^lib/', pathNot: nodeOnly },
      to: { path: nodeBuiltins, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'plugins-stay-apart',
      comment: 'A plugin can be deleted with its folder.',
      severity: 'error',
      from: { path: '^lib/plugins/([^/]+)/' },
      to: { path: '^lib/plugins/[^/]+/', pathNot: '^lib/plugins/$1/' },
    },
    {
      name: 'stores-stay-apart',
      comment: 'An app loads only the store that it uses.',
      severity: 'error',
      from: { path: '^lib/stores/([^/]+)/' },
      to: { path: '^lib/stores/[^/]+/', pathNot: '^lib/stores/$1/', reachable: true },
    },
    {
      name: 'react-stays-in-react',
      comment: 'The library works without React.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(react|plugins/[^/]+/react)/' },
      to: { path: react },
    },
    {
      name: 'drivers-stay-in-stores',
      comment: 'Only a store knows its database.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/stores/' },
      to: { path: drivers },
    },
    {
      name: 'sockets-stay-in-bidi-server',
      comment: 'Only the server half of BIDI knows its socket library, its types included.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/bidi/server[^/]*[.]ts$' },
      to: { path: sockets },
    },
    {
      name: 'no-cycle',
      comment: 'No import circles, type imports included.',
      severity: 'error',
      from: { path: '^(lib|app)/' },
      to: { circular: true },
    },
    resolvable,
  ],
  options: {
    // TypeScript 7 has no JavaScript API, and without a parser dependency-cruiser guesses
    // (acorn-loose on TypeScript source). SWC reads type-only imports as what they are.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.](css|svg|png|ico)$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['countersign-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};

// SWC's visitor throws at `using`; its declarations are visited like those of `const`.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function visitAnyStatement(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};
