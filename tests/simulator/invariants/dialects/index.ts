import type { Invariant } from '../invariant.ts';
import { dialectAnswers } from './answers.ts';
import { dialectsFollow } from './followed.ts';
import { dialectFrames } from './frames.ts';
import { dialectsReadAgain } from './fresh.ts';
import { dialectsHideSecrets } from './secrets.ts';

/** What must hold for readers of the dialects. */
export const dialectInvariants: readonly Invariant[] = [
  dialectsFollow,
  dialectsReadAgain,
  dialectFrames,
  dialectsHideSecrets,
  dialectAnswers,
];
