import type { JsonValue } from '../../protocol/index.ts';
import { checkPreparedCall } from '../checks/check-settings.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { TurnFacts } from './call-context.ts';
import { callOptionsFrom } from './call-options.ts';
import type { PreparedKey } from './call-settings.ts';
import { type ModelSetting, modelSettings } from './model-settings.ts';

type Key = PreparedKey<FlowSettings>;

/** The settings that `prepareCall` gets and may return. */
const preparedKeys: readonly Key[] = [
  ...modelSettings,
  ...(Object.keys({
    tools: true,
    toolsContext: true,
    toolApproval: true,
    stopWhen: true,
    prepareStep: true,
    runtimeContext: true,
    repairToolCall: true,
    experimental_refineToolInput: true,
    experimental_download: true,
    allowSystemInMessages: true,
    toolOrder: true,
    toolCallConcurrency: true,
    include: true,
  } satisfies Record<Exclude<Key, ModelSetting>, true>) as Key[]),
];

/** The record of a turn, from which its settings follow. */
export type TurnRecord = TurnFacts & { readonly callOptions?: JsonValue };

/**
 * The settings of a turn; the flow's own, synchronously, without `prepareCall`.
 *
 * @throws CountersignError `invalid-settings`; what it throws
 * @source ADR 0030
 */
export function settingsOfTurn(
  settings: FlowSettings,
  turn: TurnRecord,
): FlowSettings | Promise<FlowSettings> {
  return settings.prepareCall ? prepare(settings, turn) : settings;
}

async function prepare(
  settings: FlowSettings,
  { principal, chatId, callOptions }: TurnRecord,
): Promise<FlowSettings> {
  const options = await callOptionsFrom(settings, callOptions);
  const set = preparedKeys.filter((key) => settings[key] !== undefined);
  const given = Object.fromEntries(set.map((key) => [key, settings[key]]));
  const facts = { options, principal, chatId };
  const result: unknown = await settings.prepareCall?.({ toolsContext: {}, ...given, ...facts } as never);
  if (result === undefined || result === null) return settings;
  const allowed = [...preparedKeys, ...Object.keys(facts)];
  const prepared = checkPreparedCall(settings, result, allowed);
  // A setting that it does not return is not set.
  const own = Object.fromEntries(preparedKeys.map((key) => [key, prepared[key]]));
  return { ...settings, ...own };
}
