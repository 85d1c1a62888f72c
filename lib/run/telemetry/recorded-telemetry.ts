import { telemetryWithin } from '../../settings/agents/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/** What the SDK's telemetry may record of a turn. @see telemetryWithin */
export function telemetryOf(settings: FlowSettings): FlowSettings['telemetry'] {
  return telemetryWithin(settings, settings.telemetry);
}
