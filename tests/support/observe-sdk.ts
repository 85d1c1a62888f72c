import type { TelemetryOptions } from 'ai';
import type { FlowPlugin } from 'countersign/plugin';

/** A plugin whose only effect is that the SDK's calls get these options. */
export function observeSdk(telemetry: TelemetryOptions): FlowPlugin<'observe-sdk'> {
  const observer = { begin: () => ({ begin: () => ({ sdk: { telemetry } }) }) };
  return { name: 'observe-sdk', setUp: () => ({ methods: {}, observer }) };
}
