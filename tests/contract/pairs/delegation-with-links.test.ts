import { delegation } from 'countersign/plugins/delegation';
import { expect, it } from 'vitest';
import { answerBy, answerLinksFixture, people, readPage } from '../../support/answer-links-fixture.ts';
import { ada, delegationOf, hour } from '../../support/delegation-fixture.ts';

it('the page of an answer link says for whom a person answers, before and after the answer', async () => {
  const { bob } = people;
  if (!bob) throw new Error('There is no Bob.');
  const directory = [ada, bob];
  const world = await answerLinksFixture({
    plugins: [delegation({ people: ({ ids = [] }) => directory.filter(({ id }) => ids.includes(id)) })],
  });
  await delegationOf(world.flow).give({ principal: ada, to: 'bob', until: world.clock.now() + hour });
  const url = await world.linkFor({ id: 'bob' });
  expect((await readPage(url)).html).toContain('You answer for Ada.');
  await answerBy(url, 'approve');
  expect((await readPage(url)).html.replaceAll(/<[^>]*>/g, '')).toContain('by Bob for Ada');
});
