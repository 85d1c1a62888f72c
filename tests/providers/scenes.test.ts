import { describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { openConversation } from './support/conversation.ts';
import { providers } from './support/providers.ts';
import { scenes } from './support/scenes.ts';

/** Each scene ends with one more message: a chat that a service refuses once is refused from then on. */
const goodbye = [{ text: 'You are welcome.' }];

/** Every scene makes the same assertions in both ways. */
const ways = rowsOfThisRun(
  [
    { way: 'in one process', restarts: false },
    { way: 'with a restart before each request of the person', restarts: true },
  ],
  ({ restarts }) => !restarts,
);
const rows = ways.flatMap((way) =>
  providers.map((provider) => [provider.name, way.way, provider, way] as const),
);

describe.each(rows)('%s accepts, %s,', (_name, _way, provider, { restarts }) => {
  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_scene, scene) => {
    const { script, play, ran, settings } = scene;
    const chat = await openConversation([provider], [[...script, goodbye]], { settings, restarts });
    await play(chat);
    await chat.say('Thanks.');

    const [service] = chat.served;
    expect(service?.refusals).toEqual([]);
    expect(service?.requests).toHaveLength(script.length + 1);
    expect(chat.tools.ran.toSorted()).toEqual(ran.toSorted());
    expect(chat.text()).toBe('You are welcome.');
  });
});
