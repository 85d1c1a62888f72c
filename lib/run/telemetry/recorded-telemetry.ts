import { hasSecrets } from '../../settings/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/**
 * The model's messages contain secrets, and the SDK's telemetry cannot omit them. So if the flow has any secrets, it
 * records neither inputs nor outputs, whatever the setting says.
 *
 * @source ADR 0011
 */
export function telemetryOf(settings: FlowSettings): FlowSettings['telemetry'] {
  const { telemetry } = settings;
  return hasSecrets(settings) ? { ...telemetry, recordInputs: false, recordOutputs: false } : telemetry;
}
