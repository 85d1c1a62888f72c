// depends on: app/chats lib/react/chat lib/client/calls
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { modesOfThisRun } from './support/person.ts';

describe.each(modesOfThisRun('BIDI'))(
  '"Where am I?", a tool that runs in the browser, over $mode',
  ({ mode }) => {
    it('returns the position if the user and the browser both allow it', async ({ open }) => {
      const person = await open();
      await person.page.context().grantPermissions(['geolocation']);
      await person.page.context().setGeolocation({ latitude: 48.2, longitude: 16.37, accuracy: 25 });
      await person.choose(mode);
      await person.say('Where am I?');
      await person.isAsked('Share the current location');
      await person.approve();
      await person.isTold('You are at latitude 48.2 and longitude 16.37, within 25 m.');
      expect(await person.call('get_location').innerText()).toContain('Done');
    });

    it('reports that the browser does not share it', async ({ open }) => {
      const person = await open();
      // Permissions that are not granted explicitly are refused.
      await person.page.context().grantPermissions(['notifications']);
      await person.choose(mode);
      await person.say('Where am I?');
      await person.isAsked('Share the current location');
      await person.approve();
      await person.isTold('Your location could not be read (The person did not share the location).');
      expect(await person.call('get_location').innerText()).toContain('Failed');
    });

    it('does not ask the browser if the user denies', async ({ open }) => {
      const person = await open();
      await person.page.context().grantPermissions(['geolocation']);
      await person.page.context().setGeolocation({ latitude: 48.2, longitude: 16.37 });
      await person.choose(mode);
      await person.say('Where am I?');
      await person.isAsked('Share the current location');
      await person.deny('not now');
      await person.isTold('Your location was not shared (not now).');
      expect(await person.call('get_location').innerText()).toContain('Not run');
    });

    it('asks the browser after a reload too, and only once', async ({ open }) => {
      const person = await open();
      await person.page.context().grantPermissions(['geolocation']);
      await person.page.context().setGeolocation({ latitude: 1, longitude: 2, accuracy: 3 });
      await person.choose(mode);
      await person.say('Where am I?');
      await person.isAsked('Share the current location');
      await person.page.reload();
      await person.isAsked('Share the current location');
      await person.approve();
      await person.isTold('You are at latitude 1 and longitude 2, within 3 m.');
    });
  },
);
