import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kernelFilesNaming, planDeletion } from '../../scripts/delete-plugin/delete-plugin.mjs';
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
  rehearsal: ['lib/cli/main.ts', 'lib/settings/checks/check-settings.ts'],
  remembered: ['lib/views/questions/cursors.ts'],
  responses: ['lib/cli/check/dialects/dialect-list.ts', 'lib/flow/plugin/open-api.ts'],
  subscriptions: ['lib/log/store/flow-store.ts', 'lib/settings/checks/store-check.ts'],
  telemetry: ['lib/run/observing/observer.ts', 'lib/settings/checks/refused-settings.ts'],
  'tool-events': ['lib/cli/check/dialects/dialect-list.ts'],
  'two-step-stream': ['lib/cli/check/dialects/dialect-list.ts'],
  votes: ['lib/cli/approvals/plugin-lines.ts'],
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
    for (const text of changed.values()) expect(text).not.toContain(`plugins/${name}`);
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

  it('is no call outside a list', () => {
    expect(removeRows('list.ts', `${votes}\nstart(votes());`, gone)).toBeUndefined();
  });
});
