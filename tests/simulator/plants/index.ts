import { executionPlants } from './execution.ts';
import type { Plant } from './plant.ts';
import { recordPlants } from './record.ts';

/** Every bug that can be planted. */
export const plants: readonly Plant[] = [...executionPlants, ...recordPlants];
