'use client';

import { useIsHydrated } from '../use-is-hydrated.ts';
import { useCardWords } from '../words/card-words.ts';

/** A moment on this person's clock; empty in the server's HTML. @param props.at ISO 8601 */
export function Moment({ at }: { at: string }) {
  const words = useCardWords();
  return <time dateTime={at}>{useIsHydrated() && words.moment(new Date(at))}</time>;
}
