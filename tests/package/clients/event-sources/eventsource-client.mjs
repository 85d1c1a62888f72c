import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

const [name] = packages;
const { createEventSource } = await import(name);

await drive((url, { onEvent, ...request }) => {
  const source = createEventSource({
    url,
    ...request,
    onMessage: ({ event, data }) => onEvent({ type: event ?? 'message', data }),
  });
  return { close: () => source.close(), isClosed: () => source.readyState === 'closed' };
});
