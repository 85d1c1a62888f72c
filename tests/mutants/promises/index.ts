import type { Areas } from '../guard/choose.ts';
import type { PromiseMutant } from '../promise-mutant.ts';
import { commandsMutants } from './commands.ts';
import { endingsMutants } from './endings.ts';
import { logMutants } from './log.ts';
import { protocolMutants } from './protocol.ts';
import { runMutants } from './run.ts';
import { sealsMutants } from './seals.ts';
import { settingsMutants } from './settings.ts';
import { timingPromiseMutants } from './timing.ts';
import { viewsMutants } from './views.ts';

/** All mutants of the guard, by area. */
export const areas: Areas = {
  protocol: protocolMutants,
  log: logMutants,
  run: runMutants,
  endings: endingsMutants,
  commands: commandsMutants,
  views: viewsMutants,
  settings: settingsMutants,
  seals: sealsMutants,
  timing: timingPromiseMutants,
};

/** All mutants of the guard. */
export const promiseMutants: readonly PromiseMutant[] = Object.values(areas).flat();
