import type { ServerSettings } from '../../server/route.ts';

/** What `createChatSocket` takes. */
export type ChatSocketSettings = ServerSettings & {
  /** Longer results are cut to this many bytes of UTF-8. Default 65,536. @source D19 */
  readonly maxResultBytes?: number;
};
