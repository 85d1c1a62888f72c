import type { Pause } from '../../protocol/index.ts';
import type { ToolListing } from '../../views/tool-listing.ts';
import type { By } from '../request.ts';

/** The tools of the flow, and their pauses. */
export type Tools = {
  /** The tools that the model receives. */
  list(): Promise<readonly ToolListing[]>;
  /**
   * Pauses a tool: no call of it starts, on this instance immediately, on others within one sweep. Open
   * questions stay open; they can be denied but not approved. Running calls continue. Provider-executed calls
   * without a question cannot be held back. The pause is recorded in the flow's log. This method checks no
   * rights: check them before you call it.
   *
   * @param request.tool default: every tool
   * @param request.reason 1 to 2,000 characters; shown to people and to the model
   * @throws CountersignError `invalid-request` for a reason of invalid length
   * @source ADR 0023
   */
  pause(request: By & { readonly tool?: string; readonly reason: string }): Promise<void>;
  /**
   * Ends the pause of one tool, or, without `tool`, the pause of all tools; pauses of single tools remain. Does
   * nothing if there is no such pause. Calls that did not run during the pause are not started now; people can retry
   * them.
   *
   * @source ADR 0023
   */
  unpause(request: By & { readonly tool?: string }): Promise<void>;
  /** All pauses, oldest first. */
  pauses(): Promise<readonly Pause[]>;
};
