import type { Plant } from './plant.ts';

/** Bugs in what happens to imported chats. */
export const importPlants: readonly Plant[] = [
  {
    name: 'an-erased-chat-is-imported-again',
    rule: '0036',
    file: 'lib/plugins/imports/import-chat.ts',
    find: '    await refuseErased(engine, chatId);\n',
    replace: '',
    also: [
      {
        file: 'lib/stores/sqlite/append.ts',
        find: '  if (beginsImport(batch) && erasedAt(statements, batch.chatId) !== undefined) return late;\n',
        replace: '',
      },
    ],
  },
];
