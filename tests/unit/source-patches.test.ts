import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { checkMutant, type Mutant, patchSource, rootUrl } from '../support/patches/patch.ts';
import { patchPlugin } from '../support/patches/vite-patch.ts';

const file = 'lib/protocol/parts.ts';
const mutant = (find: string, replace: string): Mutant => ({
  name: 'sample',
  file,
  find,
  replace,
});
const stepMark = mutant("return part.type === 'step-start';", 'return false;');

it('a mutant changes its text, and nothing in other files', () => {
  expect(patchSource(mutant('b', 'x'), file, 'abc')).toBe('axc');
  expect(patchSource(mutant('b', 'x'), 'lib/other.ts', 'abc')).toBe('abc');
  expect(patchSource(mutant('b', '$&'), file, 'abc')).toBe('a$&c');
});

it.each([
  ['does not occur', 'xyz', 0],
  ['occurs twice', 'bbc', 2],
])('a mutant whose text %s is an error that names it', (_when, source, count) => {
  const stale = new RegExp(`Mutant sample is stale: its text occurs ${count} times in ${file}`);
  expect(() => patchSource(mutant('b', 'x'), file, source)).toThrow(stale);
});

it('a mutant is checked against the current files', () => {
  expect(() => checkMutant(stepMark)).not.toThrow();
  expect(() => checkMutant(mutant('no such text', ''))).toThrow(/Mutant sample is stale/);
  expect(() => checkMutant(mutant(stepMark.find, stepMark.find))).toThrow(/Mutant sample does not change/);
});

it('Vite loads the mutated file changed, and others unchanged', () => {
  const { transform } = patchPlugin(stepMark) as {
    transform(code: string, id: string): { code: string } | undefined;
  };
  const path = fileURLToPath(new URL(file, rootUrl));
  expect(transform("return part.type === 'step-start';", `${path}?v=1`)?.code).toBe('return false;');
  expect(transform('anything', '/elsewhere.ts')).toBeUndefined();
});

it('Node loads the mutated file changed', async () => {
  const script = (isPatched: boolean) => `
    import { patchModules } from './tests/support/patches/node-patch.ts';
    ${isPatched ? `patchModules(${JSON.stringify(stepMark)});` : ''}
    const { isStepMark } = await import('./${file}');
    console.log(isStepMark({ type: 'step-start' }));`;
  const run = async (isPatched: boolean) => {
    const args = ['--no-warnings', '--input-type=module', '--eval', script(isPatched)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(rootUrl) });
    return stdout.trim();
  };
  expect(await Promise.all([run(false), run(true)])).toEqual(['true', 'false']);
});
