import { expect, it } from 'vitest';
import { flowFixture, userMessage } from '../../support/flow-fixture.ts';

it('a key is refused for another message, in the same chat and in others, and the message is not sent', async () => {
  const { chat, read, model } = flowFixture([[{ text: 'One.' }], [{ text: 'Two.' }]]);
  const key = 'once';
  await read(await chat().ask({ message: userMessage('first', 'Go.'), key }));
  for (const id of ['chat', 'other']) {
    const again = chat(id).ask({ message: userMessage('second', 'Go on.'), key });
    await expect(again).rejects.toMatchObject({ code: 'key-reused', fields: { key } });
  }
  expect(model.calls).toHaveLength(1);
});
