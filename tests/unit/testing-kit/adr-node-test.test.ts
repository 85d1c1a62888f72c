import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const balanced = new URL('./fixtures/balanced-node-suite.ts', import.meta.url);
const unbalanced = new URL('./fixtures/unbalanced-node-suite.ts', import.meta.url);

/** Runs a suite by Node's own test runner. */
function runByNode(suite: URL): Promise<{ code: number; output: string }> {
  const args = ['-C', 'countersign-source', '--test', '--test-reporter=tap', fileURLToPath(suite)];
  // Node's runner would take itself for a child of this one, and say nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

describe('adr(file) in node:test', () => {
  it('adds a test for each clause, and passes when all clauses have tests', async () => {
    const { code, output } = await runByNode(balanced);
    expect(code, output).toBe(0);
    expect(output).toContain('ok 1 - 0001.1 Two and two are four.');
    expect(output).toContain('ok 2 - 0001.2 A sentence may go on over two lines.');
    expect(output).toContain('# pass 3');
  });

  it('fails for a failing test, a clause without a test, and a test without a clause', async () => {
    const { code, output } = await runByNode(unbalanced);
    expect(code).toBe(1);
    expect(output).toContain('not ok 1 - 0001.1');
    expect(output).toContain('ok 2 - 0001.2');
    expect(output).toContain('0001-sound.md states 0001.3, but no test covers it');
    expect(output).toContain('0001.9 has a test, but 0001-sound.md does not state it');
    expect(output).toContain('# fail 3');
  });
});
