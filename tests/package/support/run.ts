// depends on: only its imports
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where and with what a program runs. `env` is added to ours, without what the test runner put there. */
export type RunOptions = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> };

/**
 * Runs a program to its end.
 *
 * @returns what it printed to its standard output
 * @throws Error with all that it printed, when it fails
 */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
): Promise<string> {
  try {
    const options = { cwd, env: plainEnvironment(env), maxBuffer: 64_000_000 };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause });
  }
}

const ofTestRun = /^(npm_|VITEST|NODE_ENV$|TEST$|DEV$|PROD$|MODE$|OPENAI_)/;

/**
 * The environment of a person's own terminal: nothing of npm, of the test runner, or of a key. But npm does not ask the
 * registry again for what it has.
 */
export function plainEnvironment(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) if (ofTestRun.test(name)) delete environment[name];
  return { ...environment, NEXT_TELEMETRY_DISABLED: '1', npm_config_prefer_offline: 'true', ...added };
}
