import type { Authorize } from 'countersign/http/server';
import { pageForms } from 'countersign/plugins/forms';
import { type AnswerLinks, links } from 'countersign/plugins/links';
import type { Settings } from '../_server/settings.ts';
import { questionHref } from '../inbox/question-href.ts';
import { words } from './lines.ts';
import { personIn } from './people.ts';

/** The links by which people answer without the app; `undefined` if its public address is not known. */
export function linksOf(
  { url, secret, isLocal, people }: Settings,
  authorize: Authorize,
): AnswerLinks | undefined {
  if (url === undefined) return undefined;
  return links({
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
}
