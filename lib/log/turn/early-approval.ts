import type { EarlyApproval } from '../../protocol/events/plugin-events.ts';
import type { EventOf } from '../../protocol/index.ts';
import type { Call } from './turn.ts';

/** The approval of a call that a plugin has recorded last, and its event, unless it was revoked. @source ADR 0056.31 */
export function earlyApproval(
  plugin: string,
  { pluginEvents = [] }: Pick<Call, 'pluginEvents'>,
): { readonly approval: EarlyApproval; readonly event: EventOf<'plugin-event'> } | undefined {
  const event = pluginEvents.findLast((each) => each.plugin === plugin && each.early !== undefined);
  return event?.early ? { approval: event.early, event } : undefined;
}
