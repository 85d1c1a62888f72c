import { connectBidi } from './connect-bidi.ts';
import { connectSse } from './connect-sse.ts';
import type { ConnectRaw } from './raw-client.ts';

/** Both ways to reach a flow, by name: suites run for each. */
export const modes: readonly (readonly [name: 'SSE' | 'BIDI', connect: ConnectRaw])[] = [
  ['SSE', connectSse],
  ['BIDI', connectBidi],
];
