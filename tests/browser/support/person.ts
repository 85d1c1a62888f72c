import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** How the page talks to the server, as its switch calls it. */
export type Mode = 'SSE' | 'BIDI';

/** Both transports, as rows of a table. */
export const modes: readonly { readonly mode: Mode }[] = [{ mode: 'SSE' }, { mode: 'BIDI' }];

// Two cores may build, test and render at once; nothing here should take longer on a slow day.
const patienceMs = 30_000;

/** Waits until what is read is as expected: `await eventually(() => locator.innerText()).toContain('…')`. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: patienceMs, interval: 40 });
}

/** What a person sees of a chat and does in it. Locators only: each looks at the page when it is used. */
export type Person = ReturnType<typeof personAt>;

/** A person in front of a page, with mouse and keyboard. */
export function personAt(page: Page) {
  page.setDefaultTimeout(patienceMs);
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  const question = page.getByRole('group', { name: /^Approval needed/ });
  const answer = page.getByRole('article', { name: 'Assistant' }).last();

  return {
    page,
    message,
    /** The open question's card. */
    question,
    /** The last message of the assistant, whole. */
    answer,
    /** The answer while it is not final. */
    draft: page.getByRole('region', { name: 'Draft' }),
    banner: page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) }),
    stop: page.getByRole('button', { name: 'Stop', exact: true }),
    regenerate: page.getByRole('button', { name: 'Regenerate' }),
    reason: question.getByRole('textbox', { name: 'Reason' }),
    approveButton: question.getByRole('button', { name: 'Approve' }),
    denyButton: question.getByRole('button', { name: 'Deny' }),

    /** The card of a call, by its tool; `nth` counts from 0 when there are several. */
    call: (tool: string, nth = 0): Locator => page.locator(`details[data-tool="${tool}"]`).nth(nth),

    async choose(mode: Mode): Promise<void> {
      await page.getByRole('radio', { name: mode }).check();
    },
    async say(text: string): Promise<void> {
      await message.fill(text);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    },
    /** Waits for a question whose sentence holds these words. */
    async isAsked(words: string): Promise<void> {
      await question.filter({ hasText: words }).waitFor();
    },
    /** Waits until the card takes answers: for a moment it takes none, so that no key meant for before gives one. */
    async mayAnswer(): Promise<void> {
      await eventually(() =>
        question.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled'),
      ).toBe('false');
    },
    /** Both answers wait until the card takes them. */
    async approve(reason?: string): Promise<void> {
      if (reason !== undefined) await question.getByRole('textbox', { name: 'Reason' }).fill(reason);
      await question.getByRole('button', { name: 'Approve' }).click();
    },
    async deny(reason?: string): Promise<void> {
      if (reason !== undefined) await question.getByRole('textbox', { name: 'Reason' }).fill(reason);
      await question.getByRole('button', { name: 'Deny' }).click();
    },
    /** Waits for the end of the turn, and for this text in it, once and no longer as a draft. */
    async isTold(text: string): Promise<void> {
      await eventually(async () => occurrences(text, await answer.innerText())).toBe(1);
      await page.getByRole('button', { name: 'Regenerate' }).waitFor();
      expect(await page.getByRole('region', { name: 'Draft' }).count()).toBe(0);
      expect(occurrences(text, await answer.innerText())).toBe(1);
    },
    /** The id of the chat on the page. */
    async chatId(): Promise<string> {
      await page.waitForURL(/\/chats\/[^/]+$/);
      return new URL(page.url()).pathname.split('/').at(-1) ?? '';
    },
  };
}

/** How often a text occurs in another. White space is the layout's. */
export function occurrences(text: string, within: string): number {
  return flat(within).split(flat(text)).length - 1;
}

/** A text on one line. */
export function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
