import type { Random } from '../machine/random.ts';
import type { Requests } from './requests.ts';
import type { Stage } from './stage.ts';

/**
 * A part of schedules that only some of them have.
 *
 * @param requests of people, made with `random`. A part that needs no request has random numbers of its own.
 * @returns `undefined` in schedules without it; otherwise plays a step of it, with a chance, and says whether it did
 */
export type Part = (
  stage: Stage,
  requests: Requests,
  random: Random,
) => ((step: number) => boolean) | undefined;
