import { answerBy } from '../answer-links-fixture.ts';
import { linkIn } from '../email-fixture.ts';
import { runApprovals } from '../fake-terminal.ts';
import { programKey, type Receivers } from './receivers.ts';

/** A place outside the chat from which a person answers. */
export type Way = 'http' | 'slack' | 'link' | 'command line';

/** Approves a payment from each of the places. @param url of the app that runs now */
export function waysToAnswer(
  { slack, places }: Receivers,
  url: () => string,
): Readonly<Record<Way, (id: string, amount: number) => Promise<unknown>>> {
  return {
    async http(id) {
      const { ok, status } = await fetch(`${url()}/api/approvals/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${programKey}` },
        body: JSON.stringify({ approved: true }),
      });
      if (!ok) throw new Error(`The answer was refused with ${status}.`);
    },
    async slack(id, amount) {
      const [message] = places(id, amount).messages;
      if (!message) throw new Error('There is no message.');
      await slack.send(slack.request(slack.clickOf(message, 'Approve')));
    },
    async link(id, amount) {
      const { pathname } = new URL(linkIn(places(id, amount).mails[0]?.text));
      await answerBy(`${url()}${pathname}`, 'approve');
    },
    async 'command line'(id) {
      const { code, complained } = await runApprovals({ url: url() }, programKey, ['approve', id, '--yes']);
      if (code !== 0) throw new Error(complained.join('\n'));
    },
  };
}
