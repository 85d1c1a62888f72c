import type { FlowSettings } from '../../settings/flow-settings.ts';

/**
 * The model's messages contain secrets, and the SDK's telemetry cannot omit them. So if the flow has any secrets, it
 * records neither inputs nor outputs, whatever the setting says.
 *
 * @source ADR 0011
 */
export function telemetryOf({ telemetry, toolDetails = {} }: FlowSettings): FlowSettings['telemetry'] {
  const hasSecrets = Object.values(toolDetails).some((details) => details?.secrets !== undefined);
  return hasSecrets ? { ...telemetry, recordInputs: false, recordOutputs: false } : telemetry;
}
