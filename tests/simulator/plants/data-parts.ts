import type { Plant } from './plant.ts';

/** Bugs in what tools write into the message. */
export const dataPartPlants: readonly Plant[] = [
  {
    name: 'data-parts-are-not-withheld',
    rule: '0031',
    file: 'lib/views/chunks/final.ts',
    find: 'if (event.transient) writer.write(dataChunk(event));',
    replace: 'writer.write(dataChunk(event));',
  },
  {
    name: 'a-data-part-is-acknowledged-early',
    rule: '0031',
    file: 'lib/log/journal.ts',
    find: 'return commit(runId, body);',
    replace: 'void commit(runId, body).catch(() => {});',
  },
];
