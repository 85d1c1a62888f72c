import { links } from 'countersign/plugins/links';
import { people } from '../../../simulator/actors/people.ts';
import { answerBy, readPage, sendForm } from '../../../support/answer-links-fixture.ts';
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
  setup.fillIn = async (approvalId, id, typed) => {
    const url = await linkOf(approvalId, id);
    const { fields } = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    const controls = Object.fromEntries(Object.entries(typed).map(([path, text]) => [`value${path}`, text]));
    expectStatus(303, (await sendForm(url, { ...fields, ...controls })).status);
  };
  setup.ways.push(async ({ approvalId }, who) => {
    const url = (await setup.sentLink?.(approvalId, who)) ?? (await linkOf(approvalId, who));
    expectStatus(303, (await answerBy(url, 'approve')).status);
  });
  proves(setup, 'links', () => viaOf(setup).includes('link') || viaOf(setup));
};
