import { z } from 'zod';

/** The shapes and limits of Block Kit, as Slack documents them, for the blocks that the channel uses. Unknown fields are refused. */
const plainText = (most: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  });
const markup = (most: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(most),
    verbatim: z.boolean().optional(),
  });
const text = (most: number) => z.discriminatedUnion('type', [plainText(most), markup(most)]);
const id = z.string().min(1).max(255);

const confirm = z.strictObject({
  title: plainText(100),
  text: text(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});

const button = z.strictObject({
  type: z.literal('button'),
  action_id: id,
  text: plainText(75),
  url: z.url().max(3_000).optional(),
  value: z.string().max(2_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: confirm.optional(),
});

const input = z.strictObject({
  type: z.literal('input'),
  block_id: id.optional(),
  optional: z.boolean().optional(),
  label: plainText(2_000),
  hint: plainText(2_000).optional(),
  element: z.strictObject({
    type: z.literal('plain_text_input'),
    action_id: id,
    multiline: z.boolean().optional(),
    max_length: z.int().min(1).max(3_000).optional(),
  }),
});

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plainText(150), block_id: id.optional() }),
  z.strictObject({ type: z.literal('section'), text: text(3_000), block_id: id.optional() }),
  z.strictObject({
    type: z.literal('context'),
    elements: z.array(text(3_000)).min(1).max(10),
    block_id: id.optional(),
  }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(button)
      .min(1)
      .max(25)
      .refine((all) => new Set(all.map(({ action_id: one }) => one)).size === all.length, 'action_id twice'),
    block_id: id.optional(),
  }),
]);

/** The blocks of a message. */
export const messageBlocks = z.array(block).max(50);

/** A form, as `views.open` takes it. */
export const modal = z.strictObject({
  type: z.literal('modal'),
  callback_id: id.optional(),
  private_metadata: z.string().max(3_000).optional(),
  title: plainText(24),
  submit: plainText(24).optional(),
  close: plainText(24).optional(),
  blocks: z.array(input).max(100),
});

/** Metadata of a message: a name, and flat values. */
export const metadata = z.strictObject({
  event_type: z.string().regex(/^\w+$/),
  event_payload: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

export type Block = z.infer<typeof block>;
export type Button = z.infer<typeof button>;
export type Modal = z.infer<typeof modal>;

/** All texts in blocks, in order. */
export function textsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((each) => {
    if (each.type === 'context') return each.elements.map((element) => element.text);
    return each.type === 'actions' ? each.elements.map((element) => element.text.text) : [each.text.text];
  });
}
