import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { run } from './support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const mostBytes = 25_000;

/** What a page has in any case: the SDK's chat, its transports, and React. */
const plain = `
  export { useChat } from '@ai-sdk/react';
  export * from 'react';
  export * from 'react/jsx-runtime';
  export { DefaultChatTransport, WebSocketChatTransport, isToolUIPart, getToolName } from 'ai';
`;

let folder = '';
let library = '';

/** An app with the packed library. */
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules', '.cache', 'client-size-'));
  library = join(folder, 'node_modules', 'countersign');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await mkdir(library, { recursive: true });
  await run('tar', ['-xzf', inject('tarball'), '-C', library, '--strip-components=1'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

/** Bundles a module for browsers as an app would. Its chunk, minified. */
async function bundled(source: string): Promise<string> {
  await writeFile(join(folder, 'page.js'), source);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input: join(folder, 'page.js'), preserveEntrySignatures: 'strict' },
    },
  });
  const chunks = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

let plainSize: Promise<number> | undefined;

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length;

describe('what a page downloads', () => {
  it.each([
    ['a chat page', 'useStoredChat, useApprovalChat, ApprovalCard, ToolCard'],
    ['an inbox page', 'useApprovalInbox, ApprovalInbox'],
    ['a timeline page', 'ToolTimeline'],
    ['a page of tool events', 'useToolEvents, ToolInvocation'],
  ])(`adds at most ${mostBytes} bytes of gzip to %s, beyond ai and @ai-sdk/react`, async (page, parts) => {
    plainSize ??= bundled(plain).then(sizeOf);
    const before = await plainSize;
    const after = sizeOf(await bundled(`${plain} export { ${parts} } from 'countersign/react';`));
    console.log(`countersign/react adds ${after - before} bytes (gzip) to ${page} of ${before}.`);
    expect(after - before).toBeGreaterThan(1_000);
    expect(after - before).toBeLessThanOrEqual(mostBytes);
  });

  it('contains no server code', async () => {
    const code = await bundled(`
      export * from 'countersign/react';
      export * as sse from 'countersign/sse';
      export * as bidi from 'countersign/bidi';
      export * as dialects from 'countersign/dialects/client';
    `);
    expect(code).toContain('approval-responded');
    for (const word of ['node:', 'sqlite', 'createHmac', 'pg-protocol']) {
      expect(code).not.toContain(word);
    }
  });

  it('includes its styles as one file', async () => {
    expect(await readdir(join(library, 'dist', 'react'))).toContain('styles.css');
  });
});
