// depends on: examples lib/flow lib/stores lib/server/server.ts lib/sse lib/bidi
import { describe, expect, it, onTestFinished } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { installedExample } from './support/installed.ts';
import { servePaymentProvider } from './support/payment-provider.ts';
import { run } from './support/run.ts';
import { installedRuntime } from './support/runtimes.ts';

const postgres = setUpPostgres();

describe('the examples, from the tarball', () => {
  const examples: readonly (readonly [
    name: string,
    builds: boolean,
    needs: () => Record<string, string> | Promise<Record<string, string>>,
  ])[] = [
    ['express', false, () => ({})],
    ['hono', false, () => ({})],
    ['node', false, () => ({})],
    ['music-assistant', false, () => ({})],
    ['plugin-business-hours', false, () => ({})],
    ['bun', false, () => installedRuntime('bun')],
    ['deno', false, () => installedRuntime('deno')],
    ['next-minimal', true, () => ({})],
    ['next-full', true, () => ({ DATABASE_URL: postgres().connectionString })],
  ];
  it.each(rowsOfThisRun(examples, ([name]) => name === 'node'))(
    '%s installs, builds and passes its own tests',
    async (name, builds, needs) => {
      const cwd = await installedExample(name);
      if (builds) await run('npm', ['run', 'build'], { cwd });
      const provider = await servePaymentProvider();
      onTestFinished(provider.close);
      const env = { ...provider.environment, ...(await needs()) };
      const said = await run('npm', ['test'], { cwd, env });
      expect(said).toMatch(/(#|ℹ) fail 0\b/);
      expect(said).not.toMatch(/(#|ℹ) pass 0\b/);
    },
  );
});
