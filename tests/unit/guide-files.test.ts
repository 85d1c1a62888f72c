import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const page = await readFile('docs/guides/websocket-and-postgres.md', 'utf8');
const blocks = [...page.matchAll(/^```tsx?\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)];

describe('the guide on the WebSocket and Postgres', () => {
  it('shows three files', () => {
    expect(blocks.map(([, file]) => file)).toEqual([
      'countersign.ts',
      'app/api/[...path]/route.ts',
      'server.ts',
    ]);
  });

  it.each(blocks.map(([, file, content]) => ({ file, content })))(
    'shows $file as in the full example',
    async ({ file, content }) => {
      expect(content).toBe(await readFile(`examples/next-full/${file}`, 'utf8'));
    },
  );
});
