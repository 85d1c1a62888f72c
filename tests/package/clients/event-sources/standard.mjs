import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

const [name] = packages;
const module = await import(name);
const EventSource = module.EventSource ?? module.default.EventSource ?? module.default;
const types = [
  'message',
  'message_chunk',
  'tool_call',
  'tool_response',
  'reset',
  'approval_request',
  'error',
  'done',
];

/** Old versions take headers, new ones a `fetch` that adds them. */
await drive((url, { headers, onEvent }) => {
  const fetchWith = (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } });
  const source = new EventSource(url, { headers, fetch: fetchWith });
  for (const type of types) source.addEventListener(type, onEvent);
  return { close: () => source.close(), isClosed: () => source.readyState === 2 };
});
