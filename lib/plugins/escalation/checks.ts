import {
  checkSettings,
  duration,
  func,
  listOf,
  object,
  oneOf,
  type SettingCheck,
  unfit,
} from '../../protocol/settings.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { CheckedTool } from '../../settings/plugin/plugin-declaration.ts';
import type { Escalation } from './settings.ts';

const mostSteps = 10;
const longestLabel = 100;

const label: SettingCheck = (value, path) => {
  const isShort = typeof value === 'string' && value.trim() !== '' && value.length <= longestLabel;
  if (!isShort) unfit(path, `must be a string of 1 to ${longestLabel} characters`);
};

const shape = object(
  {
    steps: listOf(
      object({ afterMs: duration(), to: func, label, remindEveryMs: duration() }, ['afterMs', 'to']),
    ),
    end: object({ afterMs: duration(), then: oneOf('deny', 'withdraw', 'ask-again') }, ['afterMs', 'then']),
  },
  ['steps'],
);

const withParts: SettingCheck = (value, path) => {
  shape(value, path);
  const { steps, end } = value as Escalation;
  if (steps.length === 0 && !end) unfit(path, 'has neither a step nor an `end`, so nothing would happen');
  if (steps.length > mostSteps) unfit(`${path}.steps`, `must have at most ${mostSteps} steps`);
  const wrong = steps.findIndex(({ afterMs }, index) => afterMs <= (steps[index - 1]?.afterMs ?? 0));
  if (wrong !== -1) unfit(`${path}.steps[${wrong}].afterMs`, 'must be later than the step before');
  const last = steps.at(-1);
  if (last && end && end.afterMs <= last.afterMs)
    unfit(`${path}.end.afterMs`, 'must be later than the last step');
};

/** An escalation that can take place. @throws CountersignError `invalid-settings` @source ADR 0048.14 */
export function checkEscalation(given: Escalation): void {
  checkSettings('escalation', { escalation: given }, { escalation: withParts });
}

/** The escalation of a tool. `false`: the one of all tools does not apply. */
export function checkOfTool(
  value: unknown,
  path: string,
  { settings, toolName }: CheckedTool<FlowSettings>,
): void {
  if (value === false) return;
  withParts(value, path);
  const { deadlineMs = settings.deadlineMs } = settings.toolDetails?.[toolName] ?? {};
  if (isCutOff(value as Escalation, deadlineMs)) unfit(path, whyCutOff);
}

const whyCutOff =
  'continues after `deadlineMs`, when the question has ended: use its `end` instead, or a longer deadline';

/**
 * Refuses an escalation of all tools of which a part never takes place, because a question ends before.
 *
 * @throws CountersignError `invalid-settings`
 */
export function checkEndsInTime({ deadlineMs, toolDetails = {} }: FlowSettings, ofAll: Escalation): void {
  const inTime: SettingCheck = (_value, path) => {
    if (isCutOff(ofAll, deadlineMs)) unfit(path, whyCutOff);
  };
  const details: SettingCheck = (_value, path) => {
    for (const [name, own] of Object.entries(toolDetails)) {
      if (own?.escalation !== undefined || !isCutOff(ofAll, own?.deadlineMs)) continue;
      const why =
        'ends the question before the escalation of all tools does: use a longer deadline, or `escalation: false`';
      unfit(`${path}.${name}.deadlineMs`, why);
    }
  };
  checkSettings(
    'createApprovalFlow',
    { escalation: ofAll, toolDetails },
    { escalation: inTime, toolDetails: details },
  );
}

function isCutOff({ steps, end }: Escalation, deadlineMs: unknown): boolean {
  if (typeof deadlineMs !== 'number') return false;
  return (end?.afterMs ?? 0) > deadlineMs || steps.some(({ afterMs }) => afterMs >= deadlineMs);
}
