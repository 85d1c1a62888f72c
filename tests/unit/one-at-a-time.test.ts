import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { oneAtATime } from '../../scripts/one-at-a-time.mjs';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'one-at-a-time-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'build');
}

it('waits for the one that has begun', async () => {
  const file = place();
  const order: string[] = [];
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const first = oneAtATime(file, async () => {
    began.resolve();
    await end.promise;
    order.push('first');
  });
  await began.promise;
  const second = oneAtATime(file, async () => order.push('second'));
  end.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
  expect(existsSync(file)).toBe(false);
});

it('goes on after one that has failed', async () => {
  const file = place();
  await expect(oneAtATime(file, () => Promise.reject(new Error('Failed.')))).rejects.toThrow('Failed.');
  expect(await oneAtATime(file, async () => 'built')).toBe('built');
});

it('does not wait for a process that was killed', async () => {
  const file = place();
  // No process has an id above the highest that Linux allows.
  writeFileSync(file, String(2 ** 22 + 1));
  expect(await oneAtATime(file, async () => 'built')).toBe('built');
});
