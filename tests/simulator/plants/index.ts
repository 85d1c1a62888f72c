import { dataPartPlants } from './data-parts.ts';
import { dialectPlants } from './dialects.ts';
import { executionPlants } from './execution.ts';
import { importPlants } from './imports.ts';
import { listPlants } from './lists.ts';
import type { Plant } from './plant.ts';
import { recordPlants } from './record.ts';
import { severalPlants } from './several.ts';
import { subscriptionPlants } from './subscriptions.ts';

/** All planted bugs. */
export const plants: readonly Plant[] = [
  ...executionPlants,
  ...recordPlants,
  ...dataPartPlants,
  ...importPlants,
  ...dialectPlants,
  ...subscriptionPlants,
  ...severalPlants,
  ...listPlants,
];
