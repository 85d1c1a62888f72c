import { z } from 'zod';
import { plain } from './block-text.ts';
import { readShown, type ShownQuestion } from './choices.ts';
import type { SlackWords } from './slack-words.ts';

/** The ids in the form, and the most characters of a reason. @source ADR 0002.3 */
export const denyForm = {
  id: 'countersign.deny',
  block: 'reason',
  field: 'text',
  longestReason: 2_000,
} as const;

const hiddenSchema = z.object({ shown: z.string(), channel: z.string(), ts: z.string() });

/** What a form is about: the question as shown, and its message. */
type About = {
  readonly shown: ShownQuestion;
  readonly place: { readonly channel: string; readonly ts: string };
};

/** The form that asks for the reason of a denial, as a view of Slack. */
export function denyView({ shown, place }: About, words: SlackWords, isReasonAsked: boolean) {
  const hint = isReasonAsked ? words.reasonOnDenyHint : words.reasonHint;
  return {
    type: 'modal',
    callback_id: denyForm.id,
    private_metadata: JSON.stringify({ shown: JSON.stringify(shown), ...place }),
    title: plain(words.denyTitle.slice(0, 24)),
    submit: plain(words.deny.slice(0, 24)),
    close: plain(words.cancel.slice(0, 24)),
    blocks: [
      {
        type: 'input',
        block_id: denyForm.block,
        // The server accepts a denial without a reason, too.
        optional: true,
        label: plain(words.reason),
        hint: plain(hint),
        element: {
          type: 'plain_text_input',
          action_id: denyForm.field,
          multiline: true,
          max_length: denyForm.longestReason,
        },
      },
    ],
  };
}

/** The form that a person submitted; `undefined` for one that is not from here. */
export function readDenyForm(view: {
  readonly private_metadata: string;
  readonly state: {
    readonly values: Readonly<
      Record<string, Readonly<Record<string, { value?: string | null | undefined }>>>
    >;
  };
}): (About & { readonly reason: string }) | undefined {
  const { data } = hiddenSchema.safeParse(safeJson(view.private_metadata));
  const shown = readShown(data?.shown);
  if (!data || !shown) return undefined;
  const reason = view.state.values[denyForm.block]?.[denyForm.field]?.value ?? '';
  return { shown, place: { channel: data.channel, ts: data.ts }, reason: reason.trim() };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
