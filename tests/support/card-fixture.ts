import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Question } from '../../lib/client/question.ts';

/** An open question about a payment, which its reader may answer. */
export function questionOf<Input = unknown>(given: Partial<Question<Input>> = {}): Question<Input> {
  const question: Question = {
    id: 'q1',
    chatId: 'chat',
    toolCallId: 'c1',
    toolName: 'pay',
    title: 'Pay',
    input: { amount: 30 },
    description: 'Pay Alice 30',
    state: 'open',
    mayAnswer: true,
    mayEdit: false,
    mayRemember: false,
  };
  return { ...(question as Question<Input>), ...given };
}

/** Gives each test of a file a page of its own, without layout, on a clock that only the test moves. */
export function onCardPage(now?: number): void {
  beforeEach(() => {
    vi.useFakeTimers(now === undefined ? {} : { now });
    Element.prototype.scrollIntoView = () => undefined;
  });
  afterEach(() => {
    cleanup();
    sessionStorage.clear();
    localStorage.clear();
    document.body.replaceChildren();
    vi.useRealTimers();
  });
}

/** Lets time pass: the guard of a new card ends after some moments, and so do waits for promises. */
export async function passTime(milliseconds = 1000): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

/** Waits until the code of a form is loaded, and the card takes answers. */
export async function loaded(): Promise<void> {
  await vi.dynamicImportSettled();
  await passTime();
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const write = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
/** What assistive technology was told. */
export const spoken = () => document.querySelector('[data-countersign="announcer"]')?.textContent ?? '';
