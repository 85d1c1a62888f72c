// depends on: app/chats app/inbox lib/react/card lib/react/inbox lib/client/inbox lib/plugins/escalation
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { ada, ben } from './support/people.ts';
import { eventually, modesOfThisRun } from './support/person.ts';
import { recordSaid } from './support/said.ts';

const sentence = 'Replace the API key of the demo service with a new one.';

describe.each(modesOfThisRun('SSE'))('a question that nobody answers, page over $mode', ({ mode }) => {
  it('is escalated: the asker reads so, and a manager finds it in the inbox and denies it', async ({
    open,
  }) => {
    const asker = await open({ as: ben });
    const said = await recordSaid(asker.page);
    await asker.choose(mode);
    await asker.say('Rotate the API key');
    await asker.isAsked(sentence);
    await asker.page.setViewportSize({ width: 320, height: 640 });
    const line = asker.question.locator('[data-plugin="escalation"]');

    const manager = await open({ as: ada });
    await manager.page.getByRole('link', { name: /^Inbox/ }).click();
    const row = manager.page
      .getByRole('button', { name: sentence })
      .and(manager.page.locator('[aria-expanded]'))
      .filter({ hasText: 'for Ben' });

    // Both pages change by themselves, when the step is in the log.
    await eventually(() => line.innerText()).toMatch(
      /^Escalated to managers at [^.]+\.\s+Will be denied at [^.]+ if nobody answers\.$/,
    );
    const before = (await said()).map(({ text }) => text).filter((text) => !text.includes('Escalated'));
    expect(before).toContainEqual(expect.stringMatching(/Will be denied at [^.]+ if nobody answers\./));
    await isSound(asker, 'escalated question');
    await eventually(() => row.innerText()).toContain('Escalated to managers at');
    await isSound(manager, 'inbox with an escalated question');
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    const card = manager.question.filter({ hasText: sentence });
    await eventually(() => card.innerText()).toContain('Escalated to managers at');
    const deny = card.getByRole('button', { name: 'Deny' });
    await eventually(() => deny.getAttribute('aria-disabled')).toBe('false');
    await deny.click();
    await card.getByRole('textbox', { name: 'Reason' }).fill('not today');
    await card.getByRole('button', { name: 'Deny' }).click();
    await asker.isTold('The API key was not replaced: the call was denied (not today).');
    expect(await asker.question.count()).toBe(0);
  });
});
