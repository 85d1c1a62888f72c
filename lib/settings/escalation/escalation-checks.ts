import { isRecord } from '../../protocol/index.ts';
import { duration, func, listOf, object, oneOf, type SettingCheck, unfit } from '../../protocol/settings.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { ToolDetails } from '../tools/tool-settings.ts';
import type { Escalation } from './escalation.ts';
import { escalates } from './escalation-plan.ts';

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

/** An escalation that can take place. @source ADR 0048.10 */
export const escalationCheck: SettingCheck = (value, path) => {
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

/** `false`: the escalation of the flow does not apply. */
export const toolEscalationCheck: SettingCheck = (value, path) => {
  if (value !== false) escalationCheck(value, path);
};

/**
 * Refuses an escalation of which a part never takes place, because the question ends before.
 *
 * @param settings of the flow, whose escalation and deadline apply to tools without their own
 * @param prefix of the names of the tool's settings
 */
export function checkEndsInTime(
  settings: Pick<FlowSettings, 'deadlineMs' | 'escalation'>,
  details: Pick<ToolDetails, 'deadlineMs' | 'escalation'> | undefined,
  prefix: string,
): void {
  const { escalation = settings.escalation, deadlineMs = settings.deadlineMs } = details ?? {};
  if (!escalation || typeof deadlineMs !== 'number' || !isRecord(escalation)) return;
  const { steps, end } = escalation;
  const isLate = (end?.afterMs ?? 0) > deadlineMs || steps.some(({ afterMs }) => afterMs >= deadlineMs);
  if (!isLate) return;
  const isOwn = details?.escalation !== undefined;
  unfit(
    isOwn ? `${prefix}escalation` : `${prefix}deadlineMs`,
    isOwn
      ? 'continues after `deadlineMs`, when the question has ended: use its `end` instead, or a longer deadline'
      : 'ends the question before the `escalation` of the flow does: use a longer deadline, or `escalation: false`',
  );
}

/** Without this group, no step would ever be found to be due. */
export function checkStoreEscalates(settings: FlowSettings, path: string): void {
  const { store } = settings;
  if (!isRecord(store) || store.escalation !== undefined || !escalates(settings)) return;
  unfit(
    path,
    'cannot find questions to escalate: use a store of this package, or implement `EscalationStore`',
  );
}
