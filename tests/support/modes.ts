import { connectBidi } from './connect-bidi.ts';
import { connectSse } from './connect-sse.ts';
import type { ConnectRaw } from './raw-client.ts';

/** Both transports of a flow, by name. Suites run for each. */
export const modes: readonly (readonly [name: 'SSE' | 'BIDI', connect: ConnectRaw])[] = [
  ['SSE', connectSse],
  ['BIDI', connectBidi],
];
