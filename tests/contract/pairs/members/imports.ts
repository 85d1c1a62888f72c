import { imports } from 'countersign/plugins/imports';
import { people } from '../../../simulator/actors/people.ts';
import { addPlugin } from '../add-plugin.ts';
import { proves } from '../proofs.ts';
import { chatId, type Member } from '../stage.ts';

export const member: Member = (setup) => {
  const methods = addPlugin(setup, imports());
  setup.before.push(async () => {
    const { history } = setup.stage();
    const before = { moment: history.moment(), instance: 'one', chatId };
    const { status } = await methods().chat({
      ...{ principal: people.ada, chatId, createdAt: 1 },
      messages: [
        { id: 'past-user', role: 'user', parts: [{ type: 'text', text: `${chatId} []` }] },
        { id: 'past', role: 'assistant', parts: [{ type: 'text', text: 'Before.', state: 'done' }] },
      ],
    });
    history.imports.push({ ...before, status });
  });
  proves(setup, 'imports', async () => {
    const chat = await setup.stage().flow.chats.read({ chatId: chatId as never, principal: people.ada });
    return chat.messages.some(({ id }) => id === 'past') && chat.messages.length > 2;
  });
};
