// depends on: lib/client lib/react lib/sse lib/bidi lib/dialects/client lib/plugins/chat-socket lib/plugins/responses lib/plugins/tool-events lib/plugins/two-step-stream
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { newerThanBrowsersIn } from '../support/uses-newer.ts';
import { unpackLibrary } from './support/installed.ts';

const root = resolve(import.meta.dirname, '../..');
const mostFormBytes = 12_000;

/** What a page has in any case: React, and the SDK's chat and transports. */
const common = `
  export * from 'react';
  export * from 'react/jsx-runtime';
  export { AbstractChat, DefaultChatTransport, WebSocketChatTransport, isToolUIPart, getToolName } from 'ai';
`;

/** The same with the SDK's hook, which ours replaces. */
const plain = `${common} export { useChat } from '@ai-sdk/react';`;

/** What plugins add to cards and inboxes. */
const plugins = ['escalation', 'forms', 'pre-approvals', 'remembered', 'votes'] as const;
const partsOf = (some: readonly string[]) =>
  some.map((name) => `export * from 'countersign/plugins/${name}/react';`).join('\n');

const clientHalf = `
  ${partsOf(plugins)}
  export * from 'countersign/react';
  export * as client from 'countersign/client';
  export * as sse from 'countersign/sse';
  export * as bidi from 'countersign/bidi';
  export * as chatSocket from 'countersign/plugins/chat-socket/client';
  export * as responses from 'countersign/plugins/responses/client';
  export * as toolEvents from 'countersign/plugins/tool-events/client';
  export * as toolEventsReact from 'countersign/plugins/tool-events/react';
  export * as twoStepStream from 'countersign/plugins/two-step-stream/client';
`;

let folder = '';
let library = '';

/** An app with the packed library. */
beforeAll(async () => {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'client-size-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  library = await unpackLibrary(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** The code of a page, minified: what it loads first, and what it loads when someone needs it. */
type PageCode = { readonly first: string; readonly later: string };

/** Bundles a module for browsers as an app would. @param external the packages that are left out */
async function bundled(source: string, external: readonly RegExp[] = []): Promise<PageCode> {
  await writeFile(join(folder, 'page.js'), source);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: {
        input: join(folder, 'page.js'),
        external: [...external],
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const output = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = output.filter((each) => each.type === 'chunk');
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  // A set also visits what is added to it meanwhile.
  for (const name of first) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      first.add(imported);
  }
  const codeOf = (isFirst: boolean) =>
    chunks
      .filter(({ fileName }) => first.has(fileName) === isFirst)
      .map(({ code }) => code)
      .join('\n');
  return { first: codeOf(true), later: codeOf(false) };
}

let plainSize: Promise<number> | undefined;
let pageSize: Promise<number> | undefined;

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length;

describe('what a page downloads', () => {
  const pages = [
    ['a chat page', 32_300, 'useStoredChat, useApprovalChat, ApprovalCard, ToolCard'],
    ['an inbox page', 29_900, 'useApprovalInbox, ApprovalInbox'],
    ['a page with a small card', 13_600, 'CardFrame, CardDescription, CardArguments, CardActions'],
    ['a timeline page', 7_100, 'ToolTimeline'],
    ['a page of tool events', 6_300, 'useToolEvents, ToolInvocation', 'plugins/tool-events/react'],
  ] as const;
  it.each(rowsOfThisRun(pages, (_, index) => index < 2))(
    'adds little to %s, compared with the hook of the SDK: at most %i bytes of gzip',
    async (page, most, parts, entry: string = 'react') => {
      plainSize ??= bundled(plain).then(({ first }) => sizeOf(first));
      const before = await plainSize;
      const { first } = await bundled(`${common} export { ${parts} } from 'countersign/${entry}';`);
      const after = sizeOf(first);
      console.log(`countersign/${entry} adds ${after - before} bytes (gzip) to ${page} of ${before}.`);
      expect(after - before).toBeGreaterThan(1_000);
      expect(after - before).toBeLessThanOrEqual(most);
    },
  );

  const additions = [
    ['a transport and its predicate', 2_750, 'sse', 'createSseTransport, sendAutomaticallyWhen'],
    ['a card', 18_400, 'react', 'ApprovalCard'],
    [
      'a transport over a WebSocket and its predicate',
      3_000,
      'bidi',
      'createBidiTransport, sendAutomaticallyWhen',
    ],
  ] as const;
  it.each(rowsOfThisRun(additions, (_, index) => index < 2))(
    'adds little to a page that keeps the hook of the SDK: %s, at most %i bytes of gzip',
    async (part, most, entry, names) => {
      plainSize ??= bundled(plain).then(({ first }) => sizeOf(first));
      const before = await plainSize;
      const { first } = await bundled(`${plain} export { ${names} } from 'countersign/${entry}';`);
      const added = sizeOf(first) - before;
      console.log(`countersign/${entry} adds ${added} bytes (gzip) to a page with the SDK: ${part}.`);
      expect(added).toBeGreaterThan(1_000);
      expect(added).toBeLessThanOrEqual(most);
    },
  );

  it.each([
    ['escalation', 400],
    ['forms', 11_500],
    ['pre-approvals', 2_400],
    ['remembered', 900],
    ['votes', 700],
  ] as const)(
    'adds the part of a plugin only to a page that passes it: %s, at most %i bytes',
    async (name, most) => {
      const page = `${common} export { ApprovalCard, ApprovalInbox, useApprovalInbox } from 'countersign/react';`;
      pageSize ??= bundled(page).then(({ first, later }) => sizeOf(first + later));
      const before = await pageSize;
      const { first, later } = await bundled(page + partsOf([name]));
      const added = sizeOf(first + later) - before;
      console.log(`The part of ${name} is ${added} bytes (gzip).`);
      expect(added).toBeGreaterThan(100);
      expect(added).toBeLessThanOrEqual(most);
    },
  );

  it(`loads the form for editing only when someone edits, in at most ${mostFormBytes} bytes of gzip`, async () => {
    const { first, later } = await bundled(
      `${plain} export { ApprovalCard } from 'countersign/react'; ${partsOf(['forms'])}`,
    );
    console.log(`The form for editing is ${sizeOf(later)} bytes (gzip).`);
    expect(first).not.toContain('form-summary');
    expect(later).toContain('form-summary');
    expect(sizeOf(later)).toBeLessThanOrEqual(mostFormBytes);
  });

  it('contains no server code', async () => {
    const { first, later } = await bundled(clientHalf);
    const code = `${first}\n${later}`;
    expect(code).toContain('approval-responded');
    for (const word of ['node:', 'sqlite', 'createHmac', 'pg-protocol']) {
      expect(code).not.toContain(word);
    }
  });

  it('uses nothing that a supported browser lacks, unless it asks for it', async () => {
    const { first, later } = await bundled(clientHalf, [/^(?!countersign\/)[a-z@]/]);
    const code = `${first}\n${later}`;
    expect(code).toContain('approval-responded');
    expect(newerThanBrowsersIn(code)).toEqual([]);
    expect(newerThanBrowsersIn('Promise.withResolvers(); a.toSorted(); Set.any(); b.map(c)')).toEqual([
      'Promise.withResolvers',
      'toSorted',
    ]);
  });

  it.each([
    ['cards', 5_400],
    ['styles', 8_400],
  ])('has its styles in one file: %s.css, at most %i bytes of gzip', async (name, most) => {
    const css = await readFile(join(library, 'dist', 'react', `${name}.css`), 'utf8');
    console.log(`${name}.css is ${sizeOf(css)} bytes (gzip).`);
    expect(css).not.toMatch(/@import|\/\*/);
    expect(css).toContain('[data-countersign=card]{');
    expect(sizeOf(css)).toBeLessThanOrEqual(most);
  });

  it('has in the stylesheet of cards only what a card has, or a plugin adds to it', async () => {
    const css = await readFile(join(library, 'dist', 'react', 'cards.css'), 'utf8');
    const names = new Set([...css.matchAll(/\[data-countersign="?([a-z-]+)/g)].map(([, name = '']) => name));
    const files = globSync('lib/{react/{card,connection,plugins},plugins/*/react}/**/*.tsx', { cwd: root });
    const code = (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
    expect(names.size).toBeGreaterThan(80);
    expect([...names].filter((name) => !new RegExp(`["']${name}["']`).test(code))).toEqual([]);
  });
});
