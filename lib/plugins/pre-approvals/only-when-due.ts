import type { Pauses } from '../../log/flow-log/pauses.ts';
import { type Call, isImported, type Turn } from '../../log/turn/turn.ts';
import type { Question } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { isGated } from '../../settings/plugin/gates.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import type { UpcomingCallJson } from './client/upcoming-json.ts';

/** Why a call cannot be pre-approved. */
export type OnlyWhenDue = NonNullable<UpcomingCallJson['onlyWhenDue']>;

/**
 * Why a call can be approved only when its question is due; `undefined` if it can be pre-approved.
 *
 * - `step-up`: each answer needs a recent sign-in, which would not be recent when the call runs.
 * - `effect`: the tool requires that its effect is shown, and the effect is not known before.
 * - `approvals`: a plugin has a say in each answer, such as votes of several people.
 * - `choice`: the question offers options, or is a form: a person chooses, or fills it in.
 * - `paused`: nobody may approve calls of the tool now.
 * - `provider`: the model's provider runs the call, and only an answer lets it.
 * - `imported`: only an answer given here clears a call of an imported chat (ADR 0036).
 *
 * @param pauses as they were read
 * @source ADR 0041
 */
export function onlyWhenDue(
  { settings, pauses }: { readonly settings: FlowSettings; readonly pauses: Pick<Pauses, 'of'> },
  turn: Turn,
  call: Call,
  { plugins, options, needsValue }: Question,
): OnlyWhenDue | undefined {
  const { toolName, executor } = call.requested;
  const { stepUp, previewRequired } = detailsOf(settings, toolName);
  if (executor === 'provider') return 'provider';
  if (isImported(turn, call)) return 'imported';
  if (stepUp) return 'step-up';
  if (previewRequired) return 'effect';
  if (isGated(settings, plugins)) return 'approvals';
  if (options || needsValue) return 'choice';
  return pauses.of(toolName) ? 'paused' : undefined;
}
