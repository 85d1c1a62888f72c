import { z } from 'zod';
import { purposeOf, readShown, type ShownQuestion } from './choices.ts';
import { denyForm, readDenyForm } from './deny-form.ts';

const personShape = {
  team: z.object({ id: z.string() }),
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
};

/** The parts that are used of what Slack sends when somebody clicks a button, or submits a form. */
const payloadSchema = z.discriminatedUnion('type', [
  z.object({
    ...personShape,
    type: z.literal('block_actions'),
    trigger_id: z.string(),
    container: z.object({ channel_id: z.string(), message_ts: z.string() }),
    actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
  }),
  z.object({
    ...personShape,
    type: z.literal('view_submission'),
    view: z.object({
      callback_id: z.string(),
      private_metadata: z.string(),
      state: z.object({
        values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))),
      }),
    }),
  }),
]);

/** A message of a question. */
export type Place = { readonly channel: string; readonly ts: string };

/** A person's click or form, about a question as its message showed it. */
export type Interaction = {
  readonly user: { readonly id: string; readonly teamId: string | undefined };
  readonly teamId: string;
  readonly shown: ShownQuestion;
  readonly place: Place;
} & (
  | { readonly type: 'approve' }
  | { readonly type: 'ask-reason'; readonly triggerId: string }
  | { readonly type: 'deny'; readonly reason: string }
);

/**
 * Reads the body of a verified request.
 *
 * @returns `null` for an interaction that needs no action, such as a click on a link; `undefined` for anything that is none
 */
export function readInteraction(body: string): Interaction | null | undefined {
  const payload = parsed(new URLSearchParams(body).get('payload'));
  if (payload === undefined) return undefined;
  const { success, data } = payloadSchema.safeParse(payload);
  if (!success) return isOtherType(payload) ? null : undefined;
  const { team, user } = data;
  const person = { user: { id: user.id, teamId: user.team_id }, teamId: team.id };
  if (data.type === 'view_submission') {
    if (data.view.callback_id !== denyForm.id) return null;
    const form = readDenyForm(data.view);
    return form && { ...person, type: 'deny', ...form };
  }
  const { container, trigger_id: triggerId, actions } = data;
  const [action] = actions;
  const purpose = purposeOf(action?.action_id ?? '');
  if (!action || !purpose) return null;
  const shown = readShown(action.value);
  if (!shown) return undefined;
  const about = { ...person, shown, place: { channel: container.channel_id, ts: container.message_ts } };
  return purpose === 'approve' ? { ...about, type: 'approve' } : { ...about, type: 'ask-reason', triggerId };
}

/** Slack has other types of interactions, and adds some. */
function isOtherType(payload: unknown): boolean {
  const { type } = z.object({ type: z.string() }).safeParse(payload).data ?? {};
  return type !== undefined && type !== 'block_actions' && type !== 'view_submission';
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
