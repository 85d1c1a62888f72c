import type { TelemetryOptions } from 'ai';
import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { anything, bool, checkSettings, type SettingCheck, text } from '../../protocol/settings.ts';
import { createCounters } from './counters.ts';
import { createTraces } from './traces.ts';

const checks = {
  isEnabled: bool,
  recordInputs: bool,
  recordOutputs: bool,
  functionId: text(),
  includeRuntimeContext: anything,
  includeToolsContext: anything,
  integrations: anything,
} satisfies Record<keyof TelemetryOptions, SettingCheck>;

/**
 * Reports spans of turns, runs, steps and tools, and metrics, through OpenTelemetry's API, and lets the SDK report its calls of
 * models. Without a registered provider or integration, nothing is reported.
 *
 * @param options those of the SDK. `isEnabled: false` turns everything off. `recordInputs` and `recordOutputs` also apply to
 * the arguments and results of tools
 * @throws CountersignError `invalid-settings`
 * @example createApprovalFlow({ store, model, tools, plugins: [telemetry({ recordInputs: false })] })
 * @source ADR 0033
 */
export function telemetry(options: TelemetryOptions = {}): FlowPlugin<'telemetry'> {
  checkSettings('telemetry', options, checks);
  return {
    name: 'telemetry',
    setUp() {
      if (options.isEnabled === false) return { methods: {} };
      const traces = createTraces(options);
      const counters = createCounters();
      return {
        methods: {},
        observer: {
          begin(run) {
            if (run.isTakenOver) counters.takenOver();
            return traces.begin(run);
          },
          recorded(events) {
            traces.recorded(events);
            counters.recorded(events);
          },
        },
      };
    },
  };
}
