import type { ToolSet } from 'ai';
import { errorPlace, isRecord } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';

type Tool = ToolSet[string];
type Gate = (...args: never[]) => unknown;

/** The statuses that the SDK knows. The SDK treats an unknown status as no gate. */
export const approvalStatuses: readonly string[] = ['not-applicable', 'approved', 'denied', 'user-approval'];

export type GuardedGates = {
  readonly toolApproval: FlowSettings['toolApproval'];
  readonly needsApproval: (name: string, tool: Tool) => Tool['needsApproval'];
  /** Ids of the calls, as the model gave them, whose gate threw or returned an unknown status. */
  readonly failed: ReadonlySet<string>;
};

/**
 * Wraps the flow's gates. Without this, the SDK ends the whole step when a gate throws, and runs a call whose
 * status it does not know. With it, only that call fails: it is recorded in `failed`, and the SDK receives
 * `denied`, so nothing runs even if the caller ignores `failed`. `needsApproval` requires approval unless it
 * returns `false`.
 *
 * @source ADR 0022
 */
export function guardGates({ toolApproval, logger }: FlowSettings): GuardedGates {
  const failed = new Set<string>();

  function fail(toolName: string, toolCallId: string, why: Readonly<Record<string, unknown>>): void {
    failed.add(toolCallId);
    logger?.error('An approval rule failed. Its call does not run.', { toolName, toolCallId, ...why });
  }

  async function statusFrom(toolName: string, toolCallId: string, ask: () => unknown): Promise<never> {
    try {
      const status = await ask();
      if (status === undefined || isApprovalStatus(status)) return status as never;
      fail(toolName, toolCallId, { status: `unknown (${status === null ? 'null' : typeof status})` });
    } catch (error) {
      fail(toolName, toolCallId, { error: errorPlace(error) });
    }
    return 'denied' as never;
  }

  function guardEach(statuses: object): FlowSettings['toolApproval'] {
    const guarded = Object.entries(statuses).map(([name, status]: [string, unknown]) => {
      if (status === undefined || status === null || isApprovalStatus(status)) return [name, status];
      const ask = (input: never, options: { toolCallId: string }) =>
        statusFrom(name, options.toolCallId, () =>
          typeof status === 'function' ? (status as Gate)(input, options as never) : status,
        );
      return [name, ask];
    });
    return Object.fromEntries(guarded);
  }

  function guardAll(gate: Gate): FlowSettings['toolApproval'] {
    return ((options: { toolCall: { toolName: string; toolCallId: string } }) =>
      statusFrom(options.toolCall.toolName, options.toolCall.toolCallId, () =>
        gate(options as never),
      )) as FlowSettings['toolApproval'];
  }

  return {
    failed,
    toolApproval:
      typeof toolApproval === 'function'
        ? guardAll(toolApproval)
        : toolApproval && guardEach(toolApproval as object),
    needsApproval(name, { needsApproval }) {
      if (typeof needsApproval !== 'function') return needsApproval;
      return async (input: unknown, options: { toolCallId: string }) => {
        try {
          return (await (needsApproval as Gate)(input as never, options as never)) !== false;
        } catch (error) {
          fail(name, options.toolCallId, { error: errorPlace(error) });
          return true;
        }
      };
    },
  };
}

/** Whether a value is a status of `toolApproval`, as a string or as an object with a reason. */
export function isApprovalStatus(value: unknown): boolean {
  if (typeof value === 'string') return approvalStatuses.includes(value);
  if (!isRecord(value)) return false;
  const { type, reason } = value;
  return (
    typeof type === 'string' &&
    approvalStatuses.includes(type) &&
    (reason === undefined || typeof reason === 'string')
  );
}
