import { join } from 'node:path';
import type { UIMessageChunk } from 'ai';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createSeals } from '../../../lib/log/seal/audit-keys.ts';
import { connectSse } from '../../support/connect-sse.ts';
import { rawChat } from '../../support/raw-client.ts';
import { auditKey } from './audit-key.ts';
import { bundleWorker, importsOf } from './bundle-worker.ts';
import { dates, startWorkerd } from './start-workerd.ts';

const auditSchema = z.object({ entries: z.array(z.looseObject({ type: z.string(), seal: z.string() })) });

let code = '';
beforeAll(async () => {
  code = await bundleWorker(join(import.meta.dirname, 'worker.ts'));
});

/** The first chunk of a type. */
function chunkOf<Type extends UIMessageChunk['type']>(chunks: readonly UIMessageChunk[], type: Type) {
  const found = chunks.find((chunk): chunk is Extract<UIMessageChunk, { type: Type }> => chunk.type === type);
  if (!found) throw new Error(`No chunk of type ${type} in ${JSON.stringify(chunks)}`);
  return found;
}

describe('flow, SSE server and fetch handler, bundled for Workers', () => {
  it('import nothing', () => {
    expect(importsOf(code)).toEqual([]);
  });

  it.each(Object.entries(dates))(
    'ask, take the answer and run the call in workerd, %s (compatibility date %s)',
    async (_node, date) => {
      const { url, stop } = await startWorkerd(code, date);
      onTestFinished(stop);
      const chat = rawChat(await connectSse(url));
      const asked = await chat.say('Pay Alice.');
      const { approvalId } = chunkOf(asked, 'tool-approval-request');
      expect(asked.map(({ type }) => type)).not.toContain('tool-output-available');
      const final = await chat.answer(approvalId, true);
      expect(chunkOf(final, 'tool-output-available').output).toBe('Paid Alice.');
      expect(chunkOf(final, 'text-delta').delta).toBe('Paid.');
      const { entries } = auditSchema.parse(await (await fetch(`${url}/api/chat/chat/audit`)).json());
      expect(entries.map(({ type }) => type)).toEqual(['asked', 'answered', 'started', 'ended']);
      const seals = createSeals(auditKey);
      for (const [index, { seal, ...facts }] of entries.entries()) {
        expect(seals.fits(seal, entries[index - 1]?.seal ?? null, facts)).toBe(true);
      }
    },
  );
});

describe('the SQLite store, bundled for Workers', () => {
  const store = join(import.meta.dirname, '../../../lib/stores/sqlite/store.ts');
  const opening = `export class Chat {}
    export default { fetch() {
      try { sqliteStore({ path: ':memory:' }); } catch (error) { return new Response(error); }
    } };`;

  it('says when it is loaded what it needs', async () => {
    const worker = `${await bundleWorker(store)}\n${opening}`;
    const started = startWorkerd(worker, dates.withoutNode);
    await expect(started).rejects.toThrow('needs node:sqlite, a module of Node 22.13 or newer');
  });

  it('cannot be opened where workerd only imitates `node:sqlite`', async () => {
    const { url, stop } = await startWorkerd(`${await bundleWorker(store)}\n${opening}`, dates.withNode);
    onTestFinished(stop);
    expect(await (await fetch(url)).text()).toContain('The database :memory: cannot be opened');
  });
});

it('the Postgres store, bundled for Workers, imports its driver and nothing else', async () => {
  const store = join(import.meta.dirname, '../../../lib/stores/postgres/store.ts');
  expect(importsOf(await bundleWorker(store, ['pg']))).toEqual(['pg']);
});
