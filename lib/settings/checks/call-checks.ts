import {
  bool,
  byKind,
  func,
  listOf,
  mapOf,
  object,
  oneOf,
  port,
  type SettingCheck,
  type SettingChecks,
  timer,
  unfit,
  wholeNumber,
} from '../../protocol/settings.ts';
import { agentOf, noAgentLimit } from '../agents/agents.ts';
import { type CallbackName, callbackNames } from '../call/callbacks.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { mayAsk } from '../tools/tool-details.ts';
import { refusedSettings } from './refused-settings.ts';

const efforts = Object.keys({
  'provider-default': true,
  none: true,
  minimal: true,
  low: true,
  medium: true,
  high: true,
  xhigh: true,
  max: true,
} satisfies Record<NonNullable<FlowSettings['reasoning']>, true>);

const transforms = byKind(
  { function: func, list: listOf(func) },
  'must be a function, or a list of functions',
);

/** Checks of the settings that `streamText` has under these names, for model calls and how their tools run. */
export function callChecks(settings: FlowSettings, names: readonly string[] | undefined, tool: SettingCheck) {
  return {
    reasoning: oneOf(...efforts),
    output: port('parseCompleteOutput', 'parsePartialOutput'),
    allowSystemInMessages: bool,
    toolOrder: listOf(tool),
    toolCallConcurrency: wholeNumber(1),
    streamRetries: wholeNumber(0),
    timeout: byKind(
      { number: timer(), object: timeouts(settings, names) },
      'must be milliseconds, or an object',
    ),
    experimental_refineToolInput: refinements(settings, names),
    experimental_transform: transforms,
    experimental_download: func,
    include: object({ requestBody: bool, requestMessages: bool, responseBody: bool, rawChunks: bool }),
  } satisfies Partial<Record<keyof FlowSettings, SettingCheck>>;
}

export const callbackChecks = Object.fromEntries(callbackNames.map((name) => [name, func])) as Record<
  CallbackName,
  SettingCheck
>;

/** Refuses settings that a flow cannot support, with the reason. @source ADR 0029 */
export const refusals: SettingChecks = Object.fromEntries(
  Object.entries(refusedSettings).map(([name, why]): [string, SettingCheck] => [
    name,
    (_value, path) => unfit(path, why),
  ]),
);

function timeouts(settings: FlowSettings, names: readonly string[] | undefined): SettingCheck {
  const limit = timer();
  const named = mapOf(
    limit,
    names?.map((name) => `${name}Ms`),
    'is not the name of a tool, and `Ms`',
  );
  const byTool: SettingCheck = (value, path) => {
    named(value, path);
    for (const [name, ms] of Object.entries(value as object)) {
      const tool = settings.tools?.[name.replace(/Ms$/, '')];
      if (ms !== undefined && agentOf(tool)) unfit(`${path}.${name}`, noAgentLimit);
    }
  };
  return object({
    totalMs: limit,
    stepMs: limit,
    firstChunkMs: limit,
    chunkMs: limit,
    toolMs: limit,
    tools: byTool,
  });
}

/** A question is not bound to a refinement, so a refinement must not change what a person was shown. @source ADR 0029 */
function refinements(settings: FlowSettings, names: readonly string[] | undefined): SettingCheck {
  return (value, path) => {
    mapOf(func, names, 'is not a tool of `tools`')(value, path);
    const refined = Object.keys(value as object);
    const asking = refined.find((name) => names === undefined || mayAsk(settings, name));
    if (asking === undefined) return;
    unfit(
      `${path}.${asking}`,
      'is refused: calls of this tool may be asked about, and would run with other arguments than were shown. Change them in its `inputSchema`',
    );
  };
}
