import type { Approvals } from './methods/approvals.ts';
import type { Audit } from './methods/audit.ts';
import type { Chats } from './methods/chats.ts';
import type { Tools } from './methods/tools.ts';
import type { InstalledPlugin } from './plugin/plugin.ts';

/**
 * The engine: all operations for transports and dialects. All methods throw `CountersignError`; a chat or
 * question that the principal may not see is `not-found`.
 */
export type ApprovalFlow = {
  /** The `id` of its settings: the name of the agent. */
  readonly id?: string;
  readonly chats: Chats;
  readonly approvals: Approvals;
  readonly tools: Tools;
  readonly audit: Audit;
  /** Its plugins, in the order of its settings. */
  readonly plugins: readonly InstalledPlugin[];
  /**
   * Takes over runs whose owner has died. Call it at startup.
   *
   * @throws CountersignError `invalid-settings` if `auditKey` lacks the key that sealed the latest entries
   */
  recover(): Promise<void>;
  /**
   * True if this instance can take requests: the store has answered a small query within two seconds, and `close` was not
   * called. Never throws.
   *
   * @source H-Health
   */
  isReady(): Promise<boolean>;
  /** Ends sweeps and plugins, and waits until local runs have reached a durable point. Close the store after it. */
  close(): Promise<void>;
};
