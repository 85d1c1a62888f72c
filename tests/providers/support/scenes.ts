import type { Scene } from './scene.ts';
import { answerScenes } from './scenes/answers.ts';
import { faultScenes } from './scenes/faults.ts';
import { historyScenes } from './scenes/history.ts';
import { oddScenes } from './scenes/odd-output.ts';

/** The scenes by what they are about, as docs/providers.md lists them. */
export const sceneGroups: readonly (readonly [about: string, scenes: readonly Scene[]])[] = [
  ['Answers', answerScenes],
  ['The history', historyScenes],
  ['Interruptions', faultScenes],
  ['Odd output', oddScenes],
];

/** All scenes, which are played on each service. */
export const scenes: readonly Scene[] = sceneGroups.flatMap(([, ofGroup]) => ofGroup);
