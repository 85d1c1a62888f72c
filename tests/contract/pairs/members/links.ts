import { links } from 'countersign/plugins/links';
import { people } from '../../../simulator/actors/people.ts';
import { answerBy } from '../../../support/answer-links-fixture.ts';
import { addPlugin } from '../add-plugin.ts';
import { expectStatus, proves, viaOf } from '../proofs.ts';
import type { Member } from '../stage.ts';

const personOf = (id: string) => Object.values(people).find((person) => person.id === id);

export const member: Member = (setup) => {
  const answerLinks = links({
    ...{ secret: 'a secret of these tests', baseUrl: `${setup.url}/api` },
    person: (id) => personOf(id) ?? null,
    forms: (question) => setup.forms?.(question),
  });
  addPlugin(setup, answerLinks);
  const linkOf = (approvalId: string, id: string) => answerLinks.create({ approvalId, for: { id } });
  setup.makeLink = linkOf;
  setup.ways.push(async ({ approvalId }, who) => {
    const url = (await setup.sentLink?.(approvalId, who)) ?? (await linkOf(approvalId, who));
    expectStatus(303, (await answerBy(url, 'approve')).status);
  });
  proves(setup, 'links', () => viaOf(setup).includes('link') || viaOf(setup));
};
