import { expect, it, vi } from 'vitest';
import { createTimeLimit } from '../../lib/run/call/time-limit.ts';
import { clockToSetBack } from '../support/clock-to-set-back.ts';

it('the time of a call that asks is not extended when the machine’s time is set back', () => {
  const clock = clockToSetBack();
  const onLimit = vi.fn();
  const limit = createTimeLimit(clock, 100, onLimit);
  limit.resume();
  clock.advance(60);
  clock.setBack();
  limit.freeze();
  limit.resume();
  clock.advance(39);
  expect(onLimit).not.toHaveBeenCalled();
  clock.advance(1);
  expect(onLimit).toHaveBeenCalledOnce();
  expect(limit.signal.aborted).toBe(true);
});
