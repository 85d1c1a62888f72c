import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

const [name] = packages;
const { createEventSource } = await import(name);

await drive((url, { headers, onEvent }) => {
  const source = createEventSource({
    url,
    headers,
    onMessage: ({ event, data }) => onEvent({ type: event, data }),
  });
  return { close: () => source.close(), isClosed: () => source.readyState === 'closed' };
});
