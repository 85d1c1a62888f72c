import { scriptedModel } from 'countersign/testing';

/** Stands for the provider's model: it calls `pay` for each message of the person, and says so when it is done. */
export const model = scriptedModel(({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role === 'tool')
    return [{ text: `Done: ${JSON.stringify(last.content).includes('Paid') ? 'paid' : 'not paid'}.` }];
  return [{ text: 'I will pay.' }, { call: 'pay', input: { to: 'Alice', amount: 30 } }];
});
