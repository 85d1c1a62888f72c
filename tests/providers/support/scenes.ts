import type { Scene } from './scene.ts';
import { answerScenes } from './scenes/answers.ts';
import { faultScenes } from './scenes/faults.ts';
import { historyScenes } from './scenes/history.ts';
import { oddScenes } from './scenes/odd-output.ts';

/** All scenes, which are played on each service. docs/providers.md lists them. */
export const scenes: readonly Scene[] = [...answerScenes, ...historyScenes, ...faultScenes, ...oddScenes];
