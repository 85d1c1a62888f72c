import type { AnsweredBefore, Answering, Approving, Check } from './answering.ts';
import { passGates } from './several/leave-open.ts';
import { ownAnswer } from './several/own-answer.ts';
import {
  askAgainIfOutdated,
  prepareArguments,
  refuseIfNotShown,
  refuseWhilePaused,
} from './steps/as-shown.ts';
import { requireEffect } from './steps/effect.ts';
import { keepForPlugins, refuseWithoutPlugins } from './steps/plugins.ts';
import { refuseIfRevoked, requireRight, requireRightWithArguments, requireSignIn } from './steps/rights.ts';

export type Step =
  | { readonly name: string; readonly of: 'answers'; readonly check: Check<Answering> }
  | { readonly name: string; readonly of: 'approvals'; readonly check: Check<Approving> };

/** The checks of an answer, in order. The first that throws, postpones or asks again ends them. */
export const answerSteps: readonly Step[] = [
  { name: 'right', of: 'answers', check: requireRight },
  { name: 'sign-in', of: 'answers', check: requireSignIn },
  { name: 'plugins', of: 'approvals', check: refuseWithoutPlugins },
  { name: 'pause', of: 'approvals', check: refuseWhilePaused },
  { name: 'shown', of: 'answers', check: refuseIfNotShown },
  { name: 'outdated', of: 'approvals', check: askAgainIfOutdated },
  { name: 'arguments', of: 'approvals', check: prepareArguments },
  { name: 'right-with-arguments', of: 'approvals', check: requireRightWithArguments },
  { name: 'effect', of: 'approvals', check: requireEffect },
  { name: 'right-still-given', of: 'answers', check: refuseIfRevoked },
  { name: 'kept-by-plugins', of: 'approvals', check: keepForPlugins },
  { name: 'gates', of: 'answers', check: passGates },
];

/** What finds that a person repeats an answer which left the question open. Comes before the steps, and needs no settings. */
export const answeredBefore: readonly AnsweredBefore[] = [ownAnswer];
