'use client';

import { type RefObject, useLayoutEffect, useState } from 'react';

const prefix = 'unsent:';

/** A text, and how to replace it. */
export type UnsentText = readonly [text: string, setText: (text: string) => void];

/**
 * What a person is typing. Kept in this tab until it is sent, so that it survives reloads and other pages. Text that was typed
 * before the page was hydrated is kept, too.
 *
 * @param place the chat's id, or what stands for it
 */
export function useUnsentText(place: string, field: RefObject<HTMLTextAreaElement | null>): UnsentText {
  const [text, setText] = useState('');

  const change = (next: string): void => {
    setText(next);
    keep(place, next);
  };

  useLayoutEffect(() => {
    const typed = field.current?.value || kept(place);
    setText(typed);
    keep(place, typed);
  }, [place, field]);

  return [text, change];
}

/** What was typed in one place is from now on the text of another. */
export function moveUnsentText(from: string, to: string): void {
  keep(to, kept(from));
  keep(from, '');
}

/** Removes all unsent texts of this tab: they are not the next person's. */
export function forgetUnsentTexts(): void {
  const names = Object.keys(storage() ?? {}).filter((name) => name.startsWith(prefix));
  for (const name of names) storage()?.removeItem(name);
}

function kept(place: string): string {
  return storage()?.getItem(nameOf(place)) ?? '';
}

function keep(place: string, text: string): void {
  try {
    if (text === '') storage()?.removeItem(nameOf(place));
    else storage()?.setItem(nameOf(place), text);
  } catch {
    // The storage is full: the text is only on the page.
  }
}

/** Browsers that store nothing throw as soon as the storage is named. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

function nameOf(place: string): string {
  return prefix + place;
}
