import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from './run.ts';

const { platform, arch } = process;

/** Where npm has the program of a runtime: in packages without an install script. */
const runtimes = {
  bun: {
    package: `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : 'x64'}`,
    version: '1.4.4',
    program: 'bin/bun',
  },
  deno: {
    package: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`,
    version: '2.9.6',
    program: 'deno',
  },
} as const;

/**
 * Installs another runtime than Node in a folder of its own, which is removed with the test.
 *
 * @returns the environment in which a shell finds it by its name
 */
export async function installedRuntime(name: keyof typeof runtimes): Promise<{ PATH: string }> {
  const runtime = runtimes[name];
  const folder = await mkdtemp(join(tmpdir(), `countersign-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dependencies = { [runtime.package]: runtime.version };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  await symlink(join(folder, 'node_modules', runtime.package, runtime.program), join(folder, name));
  return { PATH: `${folder}${delimiter}${process.env.PATH}` };
}
