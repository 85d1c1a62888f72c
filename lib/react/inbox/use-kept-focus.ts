import { type RefObject, useEffect, useRef } from 'react';
import { useLatest } from '../use-latest.ts';

/**
 * When a change removes the focused element, another element inside takes the focus, so that keyboard users
 * keep their place.
 *
 * @param change what may remove the focused element
 * @param successor takes the focus
 */
export function useKeptFocus(
  container: RefObject<HTMLElement | null>,
  change: unknown,
  successor: (container: HTMLElement) => HTMLElement,
): void {
  const hadFocus = useRef(false);
  const next = useLatest(successor);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const note = () => {
      hadFocus.current = element.contains(document.activeElement);
    };
    element.addEventListener('focusin', note);
    const leave = (event: FocusEvent) => {
      // The focused element was removed, and nothing else took the focus.
      if (event.relatedTarget !== null) hadFocus.current = false;
    };
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', leave);
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what may have lost it
  useEffect(() => {
    const element = container.current;
    if (element && hadFocus.current && document.activeElement === document.body)
      next(element).focus({ preventScroll: true });
  }, [change, container, next]);
}
