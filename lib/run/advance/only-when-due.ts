import type { Pauses } from '../../log/flow-log/pauses.ts';
import { type Call, isImported, type Turn } from '../../log/turn/turn.ts';
import type { Question } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import { isGated } from '../../settings/plugin/gates.ts';
import { detailsOf, toolNamed } from '../../settings/tools/tool-details.ts';

/** Why a call cannot be pre-approved. */
export type OnlyWhenDue = 'step-up' | 'effect' | 'paused' | 'provider' | 'imported' | 'approvals' | 'choice';

/**
 * Why a call can be approved only when its question is due; `undefined` if it can be pre-approved.
 *
 * - `step-up`: each answer needs a recent sign-in, which would not be recent when the call runs.
 * - `effect`: the tool requires that its effect is shown, and the effect is not known in advance.
 * - `approvals`: a plugin has a say in each answer, such as votes of several people.
 * - `choice`: the question offers options, or is a form: a person chooses, or fills it in.
 * - `paused`: nobody may approve calls of the tool now.
 * - `provider`: the model's provider runs the call, and only an answer lets it.
 * - `imported`: only an answer given here clears a call of an imported chat (ADR 0036).
 *
 * @source ADR 0041
 */
export function onlyWhenDue(
  { settings, pauses }: { readonly settings: FlowSettings; readonly pauses: Pick<Pauses, 'of'> },
  turn: Turn,
  call: Call,
  { plugins }: Pick<Question, 'plugins'>,
): OnlyWhenDue | undefined {
  const { toolName, executor } = call.requested;
  const { stepUp, previewRequired, options } = detailsOf(settings, toolName);
  if (executor === 'provider') return 'provider';
  if (isImported(turn, call)) return 'imported';
  if (stepUp) return 'step-up';
  if (previewRequired) return 'effect';
  if (isGated(settings, plugins)) return 'approvals';
  if (options || isForm(toolNamed(settings, toolName))) return 'choice';
  return pauses.of(toolName) ? 'paused' : undefined;
}
