import { type Plant, patch } from './plant.ts';

/** Bugs in what happens to imported chats. */
export const importPlants: readonly Plant[] = [
  {
    name: 'an-erased-chat-is-imported-again',
    rule: '0036',
    patches: [
      patch('plugins/imports/import-chat.ts', '    await refuseErased(engine, chatId);\n', ''),
      patch(
        'stores/sqlite/append.ts',
        '  if (beginsImport(batch) && erasedAt(statements, batch.chatId) !== undefined) return late;\n',
        '',
      ),
    ],
  },
];
