import { emailChannel } from 'countersign/plugins/email';
import { onTestFinished } from 'vitest';
import { people } from '../../../simulator/actors/people.ts';
import { linkIn } from '../../../support/email-fixture.ts';
import { smtpInbox } from '../../../support/smtp-inbox.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { isThere, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = async (setup) => {
  const inbox = await smtpInbox();
  onTestFinished(() => inbox.close());
  setup.subscribers.push(
    emailChannel({
      ...{ transport: inbox.transport, from: { name: 'Approvals', address: 'approvals@example.org' } },
      to: () => Object.values(people).map(({ id, name }) => ({ id, name, address: `${id}@example.com` })),
      link: ({ approvalId, recipient }) =>
        setup.makeLink?.(approvalId, recipient.id) ?? `https://app.example/${approvalId}`,
    }),
  );
  const linksTo = (who: string) =>
    inbox.mails
      .filter(({ recipients }) => recipients.includes(`${who}@example.com`))
      .flatMap(({ text }) => (/\n(https?:\S+)\n/.test(text ?? '') ? [linkIn(text)] : []));
  setup.sentLink = async (_approvalId, who) => {
    const before = linksUsed;
    linksUsed += 1;
    return waitFor(() => {
      const link = linksTo(who)[before];
      if (link === undefined) throw new Error('The link was not sent.');
      return link;
    });
  };
  let linksUsed = 0;
  proves(setup, 'email', () => waitFor(() => isThere(inbox.mails.length)));
};
