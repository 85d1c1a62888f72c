import { z } from 'zod';
import { functionOutputSchema } from '../client/schema/item-schema.ts';

/** An item of a request's input, as it is listed. */
const inputItemSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('user'),
    status: z.literal('completed'),
    content: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('input_text'), text: z.string() }),
        z.object({ type: z.literal('input_image'), image_url: z.string(), detail: z.literal('auto') }),
        z.object({
          type: z.literal('input_file'),
          file_url: z.string().optional(),
          file_data: z.string().optional(),
          filename: z.string().optional(),
        }),
      ]),
    ),
  }),
  z.object({
    type: z.literal('mcp_approval_response'),
    id: z.string(),
    approval_request_id: z.string(),
    approve: z.boolean(),
    reason: z.string().nullable(),
  }),
  functionOutputSchema,
]);

/** `GET /v1/responses/{id}/input_items`. @source ADR 0014 */
export const inputItemsSchema = z.object({
  object: z.literal('list'),
  data: z.array(inputItemSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

/** @see inputItemSchema */
export type InputItem = z.infer<typeof inputItemSchema>;

/** @see inputItemsSchema */
export type InputItems = z.infer<typeof inputItemsSchema>;

/** `DELETE /v1/responses/{id}`. @source ADR 0014 */
export const deletedSchema = z.object({
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
});

/** A model. The server's model is its own, whatever name a request has. @source ADR 0014 */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().describe('Epoch seconds. Always 0: not known.'),
  owned_by: z.string(),
});

/** `GET /v1/models`. @source ADR 0014 */
export const modelsSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

/** @see modelSchema */
export type Model = z.infer<typeof modelSchema>;
