import { pageForms } from 'countersign/plugins/forms';
import { links } from 'countersign/plugins/links';
import { questionHref } from '../inbox/question-href.ts';
import type { Channel } from './channel.ts';
import { words } from './lines.ts';
import { personIn } from './people.ts';

/** The links by which people answer without the app. They need the app's public address. */
export const answerLinks: Channel = (_environment, { url, secret, isLocal, people }) =>
  url === undefined
    ? undefined
    : ({ authorize }) => {
        const plugin = links({
          secret,
          authorize,
          // The people of the directory need no sign-in for their links. Without a directory, everybody does.
          person: people.length > 0 ? personIn(people) : undefined,
          baseUrl: `${url}/api`,
          allowedHosts: isLocal ? ['localhost', '127.0.0.1', '[::1]'] : undefined,
          inboxUrl: (id) => questionHref({ id }),
          signInUrl: '/',
          words,
          forms: pageForms(),
        });
        return { plugin, createLink: plugin.create };
      };
