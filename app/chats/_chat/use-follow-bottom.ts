'use client';

import type { RefObject } from 'react';
import { useEffect } from 'react';

const nearPixels = 96;

/**
 * Keeps a scroll area at its end while its content grows, unless the person has scrolled away from it or an
 * open question would leave the view.
 *
 * @param said how many messages the person has sent: a new one always brings the end into view
 */
export function useFollowBottom(
  area: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  said: number,
): void {
  useEffect(() => {
    if (said > 0 && area.current !== null) area.current.scrollTop = area.current.scrollHeight;
  }, [area, said]);

  useEffect(() => {
    const scroller = area.current;
    const inner = content.current;
    if (scroller === null || inner === null) return;
    let isFollowing = true;
    const onScroll = () => {
      isFollowing = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearPixels;
    };
    const observer = new ResizeObserver(() => {
      if (!isFollowing) return;
      const question = inner.querySelector('[data-countersign="card"][data-state="open"]');
      if (question === null) scroller.scrollTop = scroller.scrollHeight;
      else if (!isAtWorkIn(question)) showWithin(scroller, question);
    });
    scroller.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(inner);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [area, content]);
}

/** Whether the person is typing in the question's form. Their field must not scroll. */
function isAtWorkIn(question: Element): boolean {
  return question !== document.activeElement && question.contains(document.activeElement);
}

/** Shows a card that is too tall from its beginning, so that the description is read before the buttons. */
function showWithin(scroller: Element, question: Element): void {
  question.scrollIntoView({ block: question.clientHeight > scroller.clientHeight ? 'start' : 'nearest' });
}
