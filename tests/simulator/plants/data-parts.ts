import { type Plant, patch } from './plant.ts';

/** Bugs in what tools write into the message. */
export const dataPartPlants: readonly Plant[] = [
  {
    name: 'data-parts-are-not-withheld',
    rule: '0031',
    patches: [
      patch(
        'views/chunks/final.ts',
        'if (event.transient) writer.write(dataChunk(event));',
        'writer.write(dataChunk(event));',
      ),
    ],
  },
  {
    name: 'a-data-part-is-acknowledged-early',
    rule: '0031',
    patches: [
      patch('log/journal.ts', 'return commit(runId, body);', 'void commit(runId, body).catch(() => {});'),
    ],
  },
];
