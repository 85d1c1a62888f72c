import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kernelFilesNaming, planDeletion } from '../../scripts/delete-plugin/delete-plugin.mjs';
import { cutDocuments, withoutReferences } from '../../scripts/delete-plugin/documents.mjs';
import { readGraph } from '../../scripts/delete-plugin/read-imports.mjs';
import { removeRows } from '../../scripts/delete-plugin/remove-rows.mjs';

const root = resolve(import.meta.dirname, '../..');
const names = readdirSync(resolve(root, 'lib/plugins'));
const graph = readGraph(root);

/** The files outside of plugins that name one. No file names the others. */
const naming: Readonly<Record<string, readonly string[]>> = {
  'agent-requests': ['lib/cli/main.ts'],
  'chat-socket': ['lib/cli/check/dialects/dialect-list.ts'],
  escalation: ['lib/cli/approvals/plugin-lines.ts'],
  imports: ['lib/cli/main.ts'],
  operations: ['lib/settings/flow-settings.ts'],
  rehearsal: ['lib/cli/main.ts'],
  remembered: ['lib/views/questions/cursors.ts'],
  responses: ['lib/cli/check/dialects/dialect-list.ts', 'lib/flow/plugin/open-api.ts'],
  subscriptions: ['lib/log/store/flow-store.ts', 'lib/settings/checks/store-check.ts'],
  telemetry: ['lib/run/observing/observer.ts', 'lib/settings/checks/refused-settings.ts'],
  'tool-events': ['lib/cli/check/dialects/dialect-list.ts'],
  'two-step-stream': ['lib/cli/check/dialects/dialect-list.ts'],
  votes: ['lib/cli/approvals/plugin-lines.ts'],
};

/** The suites that go with a plugin and do not have its name, below `tests/`: all are about it, or about several plugins. */
const suitesOf: Readonly<Record<string, readonly string[]>> = {
  'api-documents': [
    'contract/asyncapi.test.ts',
    'contract/dialects/document-paths.test.ts',
    'contract/dialects/document.test.ts',
    'contract/openapi.test.ts',
  ],
  'chat-socket': [
    'contract/dialects/approvals-across.test.ts',
    'contract/dialects/whole-characters.test.ts',
    'e2e/clients.e2e.test.ts',
    'e2e/dialect-demo.e2e.test.ts',
    'unit/dialects/cut-text.test.ts',
  ],
  delegation: ['contract/flow/shared-rights.test.ts', 'e2e/several-people.e2e.test.tsx'],
  email: ['e2e/channels.e2e.test.ts', 'faults/channels.test.ts'],
  escalation: ['e2e/dialect-demo.e2e.test.ts', 'e2e/several-people.e2e.test.tsx'],
  forms: [
    'adr/0025-the-argument-form.test.ts',
    'contract/pairs/email-with-links.test.ts',
    'unit/form-fields.test.ts',
    'unit/react-approval-card-edit.test.tsx',
    'unit/react-approval-card-fill-in.test.tsx',
    'unit/react-approval-card-options.test.tsx',
    'unit/react-approval-keys.test.tsx',
    'unit/react-form-fields.test.tsx',
    'unit/react-unsent.test.tsx',
  ],
  imports: [
    'adr/0036-imported-chats.test.ts',
    'contract/flow/import-asked.test.ts',
    'contract/flow/import-chat.test.ts',
    'contract/flow/import-checks.test.ts',
    'e2e/imported-chat.e2e.test.ts',
  ],
  insights: ['unit/local-hours.test.ts', 'unit/wait-buckets.test.ts'],
  links: [
    'adr/0045-answer-by-link.test.ts',
    'adr/0053-a-value-by-link.test.ts',
    'e2e/channels.e2e.test.ts',
    'faults/channels.test.ts',
  ],
  'pre-approvals': ['adr/0041-upcoming-calls.test.ts'],
  rehearsal: ['adr/0046-rehearsed-policies.test.ts', 'contract/flow/rehearse.test.ts'],
  remembered: ['contract/flow/remember.test.ts', 'contract/remember.test.ts', 'e2e/dialect-demo.e2e.test.ts'],
  responses: ['contract/dialects/whole-characters.test.ts', 'e2e/clients.e2e.test.ts'],
  slack: ['e2e/channels.e2e.test.ts', 'faults/channels.test.ts'],
  subscriptions: [
    'contract/deliveries-route.test.ts',
    'contract/flow/subscription-events.test.ts',
    'contract/pairs/email-with-links.test.ts',
    'contract/subscription-lease.test.ts',
    'e2e/channels.e2e.test.ts',
    'faults/channels.test.ts',
  ],
  'tool-events': [
    'browser/large-result.test.ts',
    'contract/dialects/approvals-across.test.ts',
    'contract/dialects/document.test.ts',
    'contract/dialects/music-assistant.test.ts',
    'contract/dialects/whole-characters.test.ts',
    'contract/flow/linear-results.test.ts',
    'e2e/clients.e2e.test.ts',
    'unit/page-mistakes.test.ts',
    'unit/react-tool-invocation.test.tsx',
  ],
  'two-step-stream': [
    'contract/dialects/approvals-across.test.ts',
    'contract/dialects/two-step-approvals.test.ts',
    'contract/dialects/two-step-ids.test.ts',
    'contract/dialects/two-step-reconnect.test.ts',
    'contract/dialects/two-step-reducer.test.ts',
    'contract/dialects/two-step-restarts.test.ts',
    'contract/dialects/two-step-shutdown.test.ts',
    'contract/dialects/whole-characters.test.ts',
    'contract/two-step-identity.test.ts',
    'e2e/clients.e2e.test.ts',
    'faults/two-step-shutdown.test.ts',
    'unit/frame-id.test.ts',
  ],
  votes: [
    'adr/0047-several-approvals.test.ts',
    'contract/flow/shared-rights.test.ts',
    'contract/flow/subscription-events.test.ts',
    'e2e/dialect-demo.e2e.test.ts',
    'e2e/several-people.e2e.test.tsx',
    'faults/vote-kills.test.ts',
    'faults/vote-races.test.ts',
  ],
};

describe('a plugin', () => {
  it.each(names)('is named by these files of the kernel, and by at most three: %s', (name) => {
    const files = kernelFilesNaming(root, name);
    expect(files).toEqual(naming[name] ?? []);
    expect(files.length).toBeLessThanOrEqual(3);
  });

  it.each(names)('goes with its rows and with what imports it: %s', (name) => {
    const { removed, changed } = planDeletion(root, name, graph);
    expect(removed).toContain(`lib/plugins/${name}/index.ts`);
    expect(changed.get('package.json')).not.toContain(`plugins/${name}`);
    const code = [...changed].filter(([file]) => !file.endsWith('.md'));
    expect(code.filter(([, text]) => text.includes(`plugins/${name}`)).map(([file]) => file)).toEqual([]);
    const suites = removed.filter((file) => /[.]test[.]tsx?$/.test(file) && !file.includes(name));
    expect(suites.map((file) => file.replace('tests/', '')).sort()).toEqual(suitesOf[name] ?? []);
    expect(removed).not.toContain('tests/simulator/run-seed.ts');
  });
});

describe('a row of a list', () => {
  const gone = { specifiers: new Set(['./votes.ts']), names: ['votes'] };
  const votes = "import { votes } from './votes.ts';\n";
  it.each([
    ['an element', `${votes}const all = [votes(), links()];`, '\nconst all = [ links()];'],
    ['a property', `${votes}const all = { votes: () => votes(), links };`, '\nconst all = {  links };'],
    [
      'an entry, with the constant that it needs',
      `${votes}const run = () => votes();\nnew Map([['votes', { run }], ['links', {}]]);`,
      "\n\nnew Map([ ['links', {}]]);",
    ],
    [
      'an element, with an import for it alone',
      `${votes}import { people } from './people.ts';\nconst all = [votes(people)];`,
      '\n\nconst all = [];',
    ],
    [
      'an element that needs two modules',
      `${votes}import { rules } from './votes.ts';\nconst all = [votes({ rules: rules() }), links()];`,
      '\n\nconst all = [ links()];',
    ],
  ])('is %s', (_, text, expected) => {
    expect(removeRows('list.ts', text, gone)).toBe(expected);
  });

  it('is no constant that a type has as a key', () => {
    const text = 'declare const brand: unique symbol;\nexport type Id = string & { [brand]: true };';
    const nothing = { specifiers: new Set<string>(), names: [], unused: true };
    expect(removeRows('id.ts', text, nothing)).toBe(text);
  });

  it('is no call outside a list', () => {
    expect(removeRows('list.ts', `${votes}\nstart(votes());`, gone)).toBeUndefined();
  });
});

describe('a suite', () => {
  const gone = { specifiers: new Set(['./votes.ts']), names: ['votes'], isSuite: true };
  const votes = "import { votes } from './votes.ts';\n";
  const kept = "it('stays', () => {});";
  it.each([
    ['the tests that need the plugin', `${votes}it('goes', () => votes());\n${kept}`],
    [
      'the groups that it leaves empty',
      `${votes}describe('goes', () => { it('too', () => votes()); });\n${kept}`,
    ],
    [
      'the tests that need what needs the plugin',
      `${votes}const all = [votes()];\nit('goes', () => all);\n${kept}`,
    ],
  ])('loses %s', (_, text) => {
    expect(removeRows('a.test.ts', text, gone)?.trim()).toBe(kept);
  });

  it('loses rows of a table of tests', () => {
    const text = `${votes}const rows = [[votes()], [1]];\nit.each(rows)('stays', () => {});`;
    const rest = "const rows = [ [1]];\nit.each(rows)('stays', () => {});";
    expect(removeRows('a.test.ts', text, gone)?.trim()).toBe(rest);
  });

  it('loses tests that request an endpoint of the plugin, and lists of paths lose its path', () => {
    const text = "const paths = ['/api/chat', '/api/polls'];\nit('goes', () => get(`/api/polls/${id}`));\n";
    const rest = removeRows('a.test.ts', text + kept, { ...gone, endpoints: /[/]api[/]polls/ });
    expect(rest?.replaceAll(/\s+/g, ' ')).toBe(`const paths = ['/api/chat', ]; ${kept}`);
  });

  it('goes when no test is left', () => {
    expect(removeRows('a.test.ts', `${votes}it('goes', () => votes());`, gone)).toBeUndefined();
  });
});

describe('a document', () => {
  const code = "```ts\nimport { votes } from 'countersign/plugins/polls';\n```\n";
  const links = "```ts\nimport { links } from 'countersign/plugins/other';\n```\n";
  const documents = new Map([
    [
      'docs/a.md',
      `# A\n\n${links}\n## Votes\n\n${code}\n## Rest\n\nSee [votes](#votes) and [B](b.md) ([guide](b.md)).\n`,
    ],
    ['docs/b.md', `# B\n\n${code}`],
    ['docs/c.md', '# C\n\n- **0047.1** Votes\n  count.\n- **0047.2** Others do.\n'],
  ]);

  it('loses sections that import the plugin, clauses without a test, and links; a page about it goes', () => {
    const gone = { name: 'polls', files: new Set<string>(), clauses: new Set(['0047.1']) };
    const { removed, changed } = cutDocuments(documents, gone);
    expect(removed).toEqual(['docs/b.md']);
    expect(changed.get('docs/a.md')).toBe(`# A\n\n${links}\n## Rest\n\nSee votes and B.\n`);
    expect(changed.get('docs/c.md')).toBe('# C\n\n- **0047.2** Others do.\n');
  });

  it('does not go with a plugin that only its diffs import', () => {
    const diff = "```diff\n+import { votes } from 'countersign/plugins/polls';\n```\n";
    const page = new Map([['docs/d.md', `# D\n\n## One\n\n${diff}\n## Other\n`]]);
    const gone = { name: 'polls', files: new Set<string>(), clauses: new Set<string>() };
    expect(cutDocuments(page, gone).changed.get('docs/d.md')).toBe('# D\n\n## Other\n');
  });

  it('is no longer named by code', () => {
    const text =
      "/** It votes. @source ADR 0047 */\n/**\n * A\n * @source T3, ADR 0047.1\n */\nit('votes [0047.1, T3]', f);\n";
    const rest = "/** It votes. */\n/**\n * A\n * @source T3\n */\nit('votes [T3]', f);\n";
    expect(withoutReferences(text, new Set(['0047']))).toBe(rest);
  });
});
