import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { chatIdOf, serverOf } from './server-view.ts';

/** The page's transport, as named by its switch. */
export type Mode = 'SSE' | 'BIDI';

/** Both transports, as rows of a table. */
export const modes: readonly { readonly mode: Mode }[] = [{ mode: 'SSE' }, { mode: 'BIDI' }];

/**
 * The rows of a table that makes the same assertions for both transports: one in `npm test`, the other in the matrix.
 *
 * @param inMain the transport of `npm test`: some files take SSE, others BIDI
 */
export function modesOfThisRun(inMain: Mode): readonly { readonly mode: Mode }[] {
  return rowsOfThisRun(modes, ({ mode }) => mode === inMain);
}

// Two cores may build, test and render at the same time. Half of a test's limit, so that a wait in vain can say for what.
const timeoutMs = 60_000;

/** Waits until a value is as expected: `await eventually(() => locator.innerText()).toContain('…')`. */
export function eventually<T>(read: () => T, message?: string) {
  return expect.poll(read, { timeout: timeoutMs, interval: 40, ...(message !== undefined && { message }) });
}

/** What a user sees of a chat and does in it. Only locators, which read the page when used. */
export type Person = ReturnType<typeof personAt>;

/** A user of a page, with mouse and keyboard. */
export function personAt(page: Page) {
  page.setDefaultTimeout(timeoutMs);
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  const question = page.getByRole('group', { name: /^(Approval|Answer) needed/ });
  /** Opens the field for the reason, if it is not open. */
  const openReason = async (): Promise<void> => {
    const field = question.getByRole('textbox', { name: 'Reason' });
    if (!(await field.isVisible())) await question.getByText('Add a reason').click();
    await field.waitFor();
  };
  /** While a question is open, the message box is folded. */
  const unfold = async (): Promise<void> => {
    const folded = page.getByRole('button', { name: 'Say something instead' });
    await message.or(folded).first().waitFor();
    if (await folded.isVisible()) await folded.click();
  };
  const openSettings = () => page.getByRole('button', { name: 'Settings' }).click();
  const answer = page.getByRole('article', { name: 'Assistant' }).last();

  return {
    page,
    message,
    /** The open question's card. */
    question,
    /** The complete last message of the assistant. */
    answer,
    /** The answer until it is final. */
    draft: page.getByRole('region', { name: 'Draft' }),
    banner: page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) }),
    stop: page.getByRole('button', { name: 'Stop', exact: true }),
    regenerate: page.getByRole('button', { name: 'Regenerate' }),
    reason: question.getByRole('textbox', { name: 'Reason' }),
    approveButton: question.getByRole('button', { name: 'Approve' }),
    denyButton: question.getByRole('button', { name: 'Deny' }),

    /** The card of a call, by tool; `nth` counts from 0 if there are several. */
    call: (tool: string, nth = 0): Locator => page.locator(`details[data-tool="${tool}"]`).nth(nth),

    openSettings,
    async choose(mode: Mode): Promise<void> {
      await openSettings();
      await page.getByRole('radio', { name: mode }).check();
      await page.keyboard.press('Escape');
    },
    openReason,
    unfold,
    async say(text: string): Promise<void> {
      await unfold();
      await message.fill(text);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    },
    /** Waits for a question that contains this text. */
    async isAsked(words: string): Promise<void> {
      await question.filter({ hasText: words }).waitFor();
    },
    /**
     * Waits until the card accepts answers. At first it accepts none, so that an earlier key press does not answer.
     */
    async mayAnswer(): Promise<void> {
      await eventually(() =>
        question.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled'),
      ).toBe('false');
    },
    /** Both wait until the card accepts answers. */
    async approve(reason?: string): Promise<void> {
      if (reason !== undefined) {
        await openReason();
        await question.getByRole('textbox', { name: 'Reason' }).fill(reason);
      }
      await question.getByRole('button', { name: 'Approve' }).click();
    },
    async deny(reason?: string): Promise<void> {
      if (reason !== undefined) {
        await openReason();
        await question.getByRole('textbox', { name: 'Reason' }).fill(reason);
      }
      await question.getByRole('button', { name: 'Deny' }).click();
    },
    /** Waits for the end of the turn, with these texts shown once each, in this order and not as a draft. */
    async isTold(...texts: string[]): Promise<void> {
      const shown = async () => inOrder(texts, await answer.innerText());
      await eventually(shown).toEqual(texts);
      await page.getByRole('button', { name: 'Regenerate' }).waitFor();
      expect(await page.getByRole('region', { name: 'Draft' }).count()).toBe(0);
      expect(await shown()).toEqual(texts);
    },
    /** Waits until the page says that it has lost its server. */
    async isCutOff(): Promise<void> {
      await page.getByText('Not connected to the server.').first().waitFor();
    },
    chatId: () => chatIdOf(page),
    /** What the server has, with the rights of this user. */
    server: serverOf(page),
  };
}

/** Those of the texts that occur once in another text, each after the ones before it. */
function inOrder(texts: readonly string[], within: string): string[] {
  let end = 0;
  return texts.filter((text) => {
    const place = flat(within).indexOf(flat(text));
    if (occurrences(text, within) !== 1 || place < end) return false;
    end = place + flat(text).length;
    return true;
  });
}

/** How often a text occurs in another, ignoring white space. */
export function occurrences(text: string, within: string): number {
  return flat(within).split(flat(text)).length - 1;
}

/** A text on one line. */
export function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
