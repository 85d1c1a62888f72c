/** What a chat does about its page. */
export type PageEvents = {
  readonly onNetwork: (hasNetwork: boolean) => void;
  readonly onOnline: () => void;
  /** The page is visible again. @param isVisible whether it still is, and has a listener */
  readonly onVisible: (isVisible: () => boolean) => void;
};

/** Reports the network and the visibility of the page, if there is one. @returns ends the reports */
export function observePage({ onNetwork, onOnline, onVisible }: PageEvents): () => void {
  const closed = new AbortController();
  const { signal } = closed;
  const isVisible = () => !signal.aborted && globalThis.document.visibilityState === 'visible';
  const network = () => onNetwork(globalThis.navigator?.onLine !== false);
  globalThis.window?.addEventListener('online', network, { signal });
  globalThis.window?.addEventListener('offline', network, { signal });
  globalThis.window?.addEventListener('online', onOnline, { signal });
  globalThis.document?.addEventListener('visibilitychange', () => isVisible() && onVisible(isVisible), {
    signal,
  });
  network();
  return () => closed.abort();
}
