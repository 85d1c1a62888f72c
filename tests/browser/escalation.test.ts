import { describe, expect } from 'vitest';
import { actAs } from './support/act-as.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { eventually, modesOfThisRun } from './support/person.ts';

const sentence = 'Replace the API key of the demo service with a new one.';

describe.each(modesOfThisRun('SSE'))('a question that nobody answers, page over $mode', ({ mode }) => {
  it('is escalated: the asker reads so, and a manager finds it in the inbox and denies it', async ({
    open,
  }) => {
    const ben = await open();
    await actAs(ben, 'Ben');
    await ben.choose(mode);
    await ben.say('Rotate the API key');
    await ben.isAsked(sentence);
    await ben.page.setViewportSize({ width: 320, height: 640 });
    const line = ben.question.locator('[data-countersign="card-escalation"]');
    await eventually(() => line.innerText()).toMatch(/^Will be denied at [^.]+ if nobody answers\.$/);

    const ada = await open();
    await actAs(ada, 'Ada (manager)');
    await ada.page.getByRole('link', { name: /^Inbox/ }).click();
    const row = ada.page
      .getByRole('button', { name: sentence })
      .and(ada.page.locator('[aria-expanded]'))
      .filter({ hasText: 'for Ben' });

    // Both pages change by themselves, when the step is in the log.
    await eventually(() => line.innerText()).toMatch(
      /^Escalated to managers at [^.]+\. Will be denied at [^.]+ if nobody answers\.$/,
    );
    await isSound(ben, 'escalated question');
    await eventually(() => row.innerText()).toContain('Escalated to managers at');
    await isSound(ada, 'inbox with an escalated question');
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    const card = ada.question.filter({ hasText: sentence });
    await eventually(() => card.innerText()).toContain('Escalated to managers at');
    const deny = card.getByRole('button', { name: 'Deny' });
    await eventually(() => deny.getAttribute('aria-disabled')).toBe('false');
    await deny.click();
    await card.getByRole('textbox', { name: 'Reason' }).fill('not today');
    await card.getByRole('button', { name: 'Deny' }).click();
    await ben.isTold('The API key was not replaced: the call was denied (not today).');
    expect(await ben.question.count()).toBe(0);
  });
});
