import { z } from 'zod';

const person = z.object({ id: z.string(), name: z.string() });

const riskSchema = z.enum(['low', 'medium', 'high']);

const positionSchema = z.object({ index: z.number().int().positive(), of: z.number().int().optional() });

const descriptorSchema = z.object({
  description: z.string().min(1),
  risk: riskSchema.optional().catch(undefined),
  deadline: z.iso.datetime().optional().catch(undefined),
  position: positionSchema.optional().catch(undefined),
  mayAnswer: z.boolean().catch(true),
});

const answerSchema = z.object({
  approved: z.boolean(),
  reason: z.string().optional(),
  by: person,
  at: z.string(),
  via: z.string().optional(),
});

const questionSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  toolCallId: z.string(),
  state: z.enum(['open', 'approved', 'denied', 'superseded', 'expired', 'cancelled']),
  answer: answerSchema.optional().catch(undefined),
});

/** Place of a question in its queue; `of` only when the queue's length is known. */
export type Position = z.infer<typeof positionSchema>;

/**
 * What a question tells the person: `part.approval.descriptor` of the AI SDK.
 *
 * @source contract H13
 */
export type Descriptor = z.infer<typeof descriptorSchema>;

/** The fields of a question that the pages follow; the wire carries more. @source contract S */
export type Question = z.infer<typeof questionSchema>;

/**
 * Reads a descriptor. Without a usable one the question can still be asked, so a plain sentence made of the
 * tool's name stands in.
 *
 * @param title readable name of the tool
 */
export function parseDescriptor(value: unknown, title: string): Descriptor {
  const parsed = descriptorSchema.safeParse(value);
  return parsed.success ? parsed.data : { description: `Run “${title}”`, mayAnswer: true };
}

/** Reads one event of the approvals feed; `undefined` when it is not a question. @source contract H11 */
export function parseQuestion(json: string): Question | undefined {
  try {
    return questionSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
