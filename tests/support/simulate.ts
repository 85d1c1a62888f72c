import { execFile } from 'node:child_process';

/** Runs the simulator like `npm run simulate`. */
export function simulate(
  ...args: readonly (string | number)[]
): Promise<{ readonly output: string; readonly code: number }> {
  const command = [
    '-C',
    'countersign-source',
    '--no-warnings',
    'tests/simulator/main.ts',
    ...args.map(String),
  ];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { maxBuffer: 2 ** 26 }, (_, stdout, stderr) => {
      resolve({ output: stdout + stderr, code: child.exitCode ?? 1 });
    });
  });
}
