import { describe, expect, it, vi } from 'vitest';

/** The modules of errors, and those that catch them, as a bundler may load them twice. */
async function loadCopy() {
  vi.resetModules();
  const { CountersignError } = await import('../../lib/protocol/errors/errors.ts');
  const { Conflict, Stopped } = await import('../../lib/log/conflict.ts');
  const { UnconfirmedAnswerError } = await import('../../lib/client/inbox/answer-result.ts');
  const { toErrorJson } = await import('../../lib/server/errors.ts');
  const { retryOnConflict } = await import('../../lib/run/retry-on-conflict.ts');
  return { CountersignError, Conflict, Stopped, UnconfirmedAnswerError, toErrorJson, retryOnConflict };
}

const here = await loadCopy();
const there = await loadCopy();
const notFound = () => new there.CountersignError('not-found', 'There is no chat c.', { chatId: 'c' });

describe('two copies of the library in one process', () => {
  it.each([
    ['CountersignError', notFound()],
    ['Conflict', new there.Conflict('Another writer was first.')],
    ['Stopped', new there.Stopped('The run was asked to stop.')],
    ['UnconfirmedAnswerError', new there.UnconfirmedAnswerError('Not confirmed.')],
  ] as const)('recognize each other’s %s, and no other error of that name', (name, error) => {
    expect(error).not.toBeInstanceOf(here[name]);
    expect(here[name].is(error)).toBe(true);
    const namesake = Object.assign(new Error(error.message), { name, code: 'not-found' });
    for (const other of [namesake, undefined, null, name]) expect(here[name].is(other)).toBe(false);
    const others = (['CountersignError', 'Conflict', 'Stopped', 'UnconfirmedAnswerError'] as const).filter(
      (each) => each !== name,
    );
    expect(others.filter((each) => here[each].is(error))).toEqual([]);
  });

  it('send the refusal of the other copy to the client, instead of an internal error', () => {
    expect(here.toErrorJson(notFound())).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found', chatId: 'c' } },
    });
  });

  it('decide again after a conflict of the other copy', async () => {
    let tries = 0;
    const decide = async () => {
      tries += 1;
      if (tries === 1) throw new there.Conflict('Another writer was first.');
      return 'decided';
    };
    const forgotten: string[] = [];
    const transcripts = { forget: (id: string) => void forgotten.push(id) };
    expect(await here.retryOnConflict({ transcripts } as never, 'c' as never, decide)).toBe('decided');
    expect(forgotten).toEqual(['c']);
  });
});
