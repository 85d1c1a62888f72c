import { describe, expect, it } from 'vitest';
import { openConversation } from './support/conversation.ts';
import { providers } from './support/providers.ts';
import { scenes } from './support/scenes.ts';

/** Each scene ends with one more message: a chat that a service refuses once is refused from then on. */
const goodbye = [{ text: 'You are welcome.' }];

describe.each(providers.map((provider) => [provider.name, provider] as const))(
  '%s accepts',
  (_, provider) => {
    it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_name, scene) => {
      const { script, play, ran, settings } = scene;
      const chat = await openConversation([provider], [[...script, goodbye]], settings);
      await play(chat);
      await chat.say('Thanks.');

      const [service] = chat.served;
      expect(service?.refusals).toEqual([]);
      expect(service?.requests).toHaveLength(script.length + 1);
      expect(chat.tools.ran.toSorted()).toEqual(ran.toSorted());
      expect(chat.text()).toBe('You are welcome.');
    });
  },
);
