import { describe, expect, it, test } from 'vitest';
import { type Clause, readClauses } from '../../../lib/testing/clauses/adr-clauses.ts';
import { createAdr } from '../../../lib/testing/clauses/adr-ledger.ts';

const directory = new URL('./fixtures/', import.meta.url);

/** A test runner that only collects. */
function collect() {
  const tests = new Map<string, () => void | Promise<void>>();
  const adr = createAdr({ test: (title, body) => tests.set(title, body), directory });
  const run = async (title: string) => tests.get(title)?.();
  return { adr, run, titles: () => [...tests.keys()] };
}

const first = '0001.1 Two and two are four.';
const second = '0001.2 A sentence may go on over two lines.';
const third = '0001.3 `Clauses` keep their marks.';

describe('adr(file)', () => {
  it('titles a test with each clause of the document, in its order, without fenced examples', () => {
    const { adr, titles } = collect();
    adr('0001-sound.md');
    expect(titles()).toEqual([first, second, third]);
  });

  it('takes titles of another form from `title`', () => {
    const titles: string[] = [];
    const title = ({ id, sentence }: Clause) => `${sentence} [${id}]`;
    createAdr({ test: (name) => titles.push(name), directory, title })('0001-sound.md');
    expect(titles[0]).toBe('Two and two are four. [0001.1]');
  });

  it('runs the body that names the clause, whatever the order of the bodies', async () => {
    const { adr, run } = collect();
    const ran: string[] = [];
    const { clause } = adr('0001-sound.md');
    clause('0001.2', () => void ran.push('second'));
    clause('0001.1', async () => void ran.push('first'));
    await run(first);
    await run(second);
    expect(ran).toEqual(['first', 'second']);
  });

  it('passes on the failure of a body', async () => {
    const { adr, run } = collect();
    adr('0001-sound.md').clause('0001.1', () => Promise.reject(new Error('five')));
    await expect(run(first)).rejects.toThrow('five');
  });

  it('fails a clause without a test', async () => {
    const { adr, run } = collect();
    adr('0001-sound.md').clause('0001.1', () => undefined);
    await expect(run(third)).rejects.toThrow('0001-sound.md states 0001.3, but no test covers it');
  });

  it('fails a test without a clause', async () => {
    const { adr, run, titles } = collect();
    adr('0001-sound.md').clause('0001.9', () => undefined);
    const title = titles().at(-1) ?? '';
    expect(title).toContain('0001.9 has a test, but 0001-sound.md does not state it');
    await expect(run(title)).rejects.toThrow('does not state it');
  });

  it('fails a second test of one clause', async () => {
    const { adr, run, titles } = collect();
    const { clause } = adr('0001-sound.md');
    clause('0001.1', () => undefined);
    clause('0001.1', () => undefined);
    await expect(run(titles().at(-1) ?? '')).rejects.toThrow('0001.1 of 0001-sound.md has two tests');
  });

  it('refuses a missing document', () => {
    expect(() => collect().adr('0008-missing.md')).toThrow('ENOENT');
  });
});

describe('readClauses', () => {
  it.each([
    ['no clause', '# Title\n', 'has no clause'],
    ['only a fenced clause', '```\n- **0001.1** Fenced.\n```\n', 'has no clause'],
    ['a clause twice', '- **0001.1** One.\n- **0001.1** Two.\n', 'two clauses 0001.1'],
    ["another decision's clause", '- **0002.1** One.\n', 'clause 0002.1 of another decision'],
  ])('refuses a document with %s', (_name, document, message) => {
    expect(() => readClauses('0001-planted.md', document)).toThrow(message);
  });

  it('reads documents with Windows line endings', () => {
    expect(readClauses('0001-planted.md', '- **0001.1** One.\r\n- **0001.2** Two.\r\n')).toEqual([
      { id: '0001.1', sentence: 'One.' },
      { id: '0001.2', sentence: 'Two.' },
    ]);
  });
});

describe('adr(file) in Vitest itself', () => {
  const { clause } = createAdr({ test, directory })('0001-sound.md');
  clause('0001.1', () => expect(2 + 2).toBe(4));
  clause('0001.2', () => expect('over two lines').toContain('two'));
  clause('0001.3', async () => expect(third).toContain('`'));
});
