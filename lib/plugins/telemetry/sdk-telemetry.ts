import { AI_SDK_TELEMETRY_TRACING_CHANNEL, registerTelemetry, type TelemetryOptions } from 'ai';
import { builtinModule } from '../../runtime/builtin-module.ts';

/**
 * The SDK's telemetry of one model step. It is off while nothing receives it, because the SDK prepares all its events
 * anyway: a tenth of the CPU of a step. What is registered during a step receives the next one.
 */
export function sdkTelemetry(options: TelemetryOptions): TelemetryOptions {
  return options.integrations !== undefined || isReceived() ? options : { isEnabled: false };
}

/** Whether an integration is registered for all calls, or something subscribes to the SDK's channel. */
function isReceived(): boolean {
  // Registers nothing, but creates the list. If an SDK keeps its list elsewhere, its telemetry stays on.
  registerTelemetry();
  const integrations = globalThis.AI_SDK_TELEMETRY_INTEGRATIONS;
  if (integrations === undefined || integrations.length > 0) return true;
  const channel = builtinModule('node:diagnostics_channel')?.tracingChannel?.(
    AI_SDK_TELEMETRY_TRACING_CHANNEL,
  );
  // Without the property, it is unknown whether there are subscribers.
  return channel !== undefined && channel.hasSubscribers !== false;
}
