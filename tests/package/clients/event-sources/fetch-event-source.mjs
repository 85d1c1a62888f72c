import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

// It is made for pages.
Object.assign(globalThis, { window: globalThis, document: new EventTarget() });
const [name] = packages;
const { fetchEventSource } = await import(name);

await drive((url, { onEvent, ...request }) => {
  let isClosed = false;
  const aborted = new AbortController();
  const { signal } = aborted;
  const onmessage = ({ event, data }) => onEvent({ type: event, data });
  const ended = fetchEventSource(url, { ...request, signal, onmessage, openWhenHidden: true });
  ended.then(
    () => (isClosed = true),
    () => {},
  );
  return { close: () => aborted.abort(), isClosed: () => isClosed };
});
