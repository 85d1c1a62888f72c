import type { Question } from '../../client/question.ts';
import { visibleText } from '../../client/text/visible-text.ts';

const visibleTab = 'countersign-visible';

/** Whether this browser can notify, once for all tabs. Locks need HTTPS or a loopback address. */
export function canNotify(): boolean {
  return typeof Notification !== 'undefined' && typeof navigator.locks !== 'undefined';
}

/** Holds a lock of the origin while this tab is visible, until the signal. */
export function shareVisibility(signal: AbortSignal): void {
  let hide: (() => void) | undefined;
  const update = () => {
    const isVisible = document.visibilityState === 'visible' && !signal.aborted;
    if (isVisible && !hide) {
      const hidden = new Promise<void>((resolve) => {
        hide = resolve;
      });
      void navigator.locks.request(visibleTab, { mode: 'shared' }, () => hidden);
    } else if (!isVisible) {
      hide?.();
      hide = undefined;
    }
  };
  update();
  document.addEventListener('visibilitychange', update, { signal });
  signal.addEventListener('abort', update);
}

/**
 * Shows a notification about a question, unless a tab of this origin is visible or another one shows it. The lock of the
 * question is held until `settled`, so that no other tab shows it again.
 *
 * @param onOpen called when the person opens it
 */
export async function notifyOnce(
  question: Question,
  settled: AbortSignal,
  onOpen: () => void,
): Promise<void> {
  await navigator.locks.request(`countersign-${question.id}`, { ifAvailable: true }, async (lock) => {
    if (!lock || (await isTabVisible()) || settled.aborted) return;
    const notification = show(question);
    if (!notification) return;
    notification.onclick = () => {
      window.focus();
      notification.close();
      onOpen();
    };
    await new Promise<void>((resolve) => settled.addEventListener('abort', () => resolve()));
    notification.close();
  });
}

async function isTabVisible(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === visibleTab);
}

/** Android has the constructor, but only for service workers. */
function show({ id, title, description }: Question): Notification | undefined {
  try {
    return new Notification(visibleText(title), { body: visibleText(description), tag: id });
  } catch {
    return undefined;
  }
}
