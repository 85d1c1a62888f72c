// depends on: lib/sse lib/bidi lib/client/transport lib/protocol tests/package/clients
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { rowsOfThisRun } from '../support/matrix.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { run } from './support/run.ts';

const programs = resolve(import.meta.dirname, 'clients');
const { ai, jsdom, react, 'react-dom': reactDom } = manifest.devDependencies;

/** What a page with each client installs. The programs contain nothing of ours. */
const clients: readonly (readonly [name: string, program: string, packages: Record<string, string>])[] = [
  ['@ai-sdk/vue 4.0.112', 'vue.mjs', { '@ai-sdk/vue': '4.0.112', vue: '3.5.45' }],
  ['@ai-sdk/svelte 5.0.118', 'svelte.mjs', { '@ai-sdk/svelte': '5.0.118', svelte: '5.57.3' }],
  [
    '@assistant-ui/react-ai-sdk 1.4.12',
    'assistant-ui.mjs',
    {
      '@assistant-ui/core': '0.3.20',
      '@assistant-ui/react': '0.15.18',
      '@assistant-ui/react-ai-sdk': '1.4.12',
      '@assistant-ui/store': '0.3.14',
      '@assistant-ui/tap': '0.9.18',
      jsdom,
      react,
      'react-dom': reactDom,
    },
  ],
];

/** A part of the assistant's message, in the client's own form. */
type Part = { toolCallId?: string; approval?: { approved?: boolean }; text?: string };

describe('an unmodified client of another framework, with the transport and the predicate of `ai`', () => {
  it.each(rowsOfThisRun(clients, ([, program]) => program === 'vue.mjs'))(
    '%s completes two sequential approvals over SSE',
    async (_name, program, packages) => {
      const { url, ran } = await serveFixture([
        [
          { call: 'pay', id: 'one', input: { to: 'alice', amount: 1 } },
          { call: 'pay', id: 'two', input: { to: 'bob', amount: 2 } },
        ],
        [{ text: 'Alice has her money.' }],
      ]);
      const folder = await mkdtemp(join(tmpdir(), 'countersign-client-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      await cp(programs, folder, { recursive: true });
      const dependencies = { ai, ...packages };
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
      await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });

      const printed = await run(process.execPath, [program, url], { cwd: folder });
      const parts: Part[] = JSON.parse(printed);
      const calls = parts.filter(({ toolCallId }) => toolCallId !== undefined);
      expect(calls.map(({ toolCallId, approval }) => [toolCallId, approval?.approved])).toEqual([
        ['one', true],
        ['two', false],
      ]);
      expect(parts.at(-1)?.text).toBe('Alice has her money.');
      expect(ran.map(({ toolCallId }) => toolCallId)).toEqual(['one']);
    },
  );
});
