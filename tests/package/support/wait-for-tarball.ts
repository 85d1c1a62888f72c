import { inject } from 'vitest';
import { later } from '../../support/later.ts';

/** Loaded before each file of this project. Other tests run while the library is packed. */
await later(inject('packed'));
