import { fakeClock, scriptedModel } from 'countersign/testing';
import { describe, expect, it } from 'vitest';

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
const step = [{ text: 'One' }, { delayMs: 1_000 }, { text: 'two' }];

describe('scriptedModel with delays', () => {
  it('waits on the given clock, and no longer', async () => {
    const clock = fakeClock();
    const { stream } = await scriptedModel([step], { clock }).doStream({ prompt });
    const said: string[] = [];
    const reading = (async () => {
      for await (const part of stream) if (part.type === 'text-delta') said.push(part.delta);
    })();
    await clock.timer(1_000);
    expect(said).toEqual(['One']);
    clock.advance(999);
    expect(said).toEqual(['One']);
    clock.advance(1);
    await reading;
    expect(said).toEqual(['One', 'two']);
  });

  it('stops waiting when it is aborted', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const { stream } = await scriptedModel([step], { clock }).doStream({ prompt, abortSignal: stop.signal });
    const reading = (async () => {
      for await (const _part of stream);
    })();
    await clock.timer(1_000);
    stop.abort(new Error('Stopped.'));
    await expect(reading).rejects.toThrow('Stopped.');
  });
});
