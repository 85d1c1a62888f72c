import { type SlackChannel, slackChannel } from 'countersign/plugins/slack';
import type { Settings } from '../_server/settings.ts';
import { questionHref } from '../inbox/question-href.ts';
import { words } from './lines.ts';

/** The channel of Slack in which the app asks; `undefined` if none is configured. */
export function slackOf({ slack, people, url }: Settings): SlackChannel | undefined {
  if (!slack) return undefined;
  return slackChannel({
    ...slack,
    principalOf: (slackUserId) => people.find((person) => person.slack === slackUserId)?.principal,
    ...(url !== undefined && { inboxUrl: (id) => `${url}${questionHref({ id })}` }),
    logger: console,
    words,
  });
}
