import { describe, expect, it } from 'vitest';
import { openConversation } from './support/conversation.ts';
import type { Provider } from './support/provider.ts';
import { providers } from './support/providers.ts';
import { done, pay, weather } from './support/scene.ts';

/** Services of one company share accounts, and may know each other's items and signatures. */
const companyOf = ({ name }: Provider) => name.split(' ')[0];

const pairs = providers.flatMap((first) =>
  providers
    .filter((second) => companyOf(second) !== companyOf(first))
    .map((second) => [first.name, second.name, first, second] as const),
);

describe('a chat whose model is switched to another service', () => {
  it.each(pairs)('between question and answer, from %s to %s and back', async (_from, _to, first, second) => {
    const ask = [{ text: 'I pay.' }, weather, pay('Al'), pay('Bo')];
    const chat = await openConversation(
      [first, second],
      [
        [ask, done],
        [[pay('Cy')], done],
      ],
    );
    await chat.say('Pay all.');
    await chat.approve();
    await chat.switchTo(1);
    await chat.approve({ reason: 'Fine.' });
    await chat.approve();
    await chat.switchTo(0);
    await chat.say('Thanks.');

    expect(chat.served.map(({ refusals }) => refusals)).toEqual([[], []]);
    expect(chat.served.map(({ requests }) => requests.length)).toEqual([2, 2]);
    expect(chat.tools.ran.toSorted()).toEqual(['pay Al 5', 'pay Bo 5', 'pay Cy 5', 'weather Rome']);
    expect(chat.text()).toBe('Done.');
  });
});
