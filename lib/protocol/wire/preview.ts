import { z } from 'zod';
import { timeSchema } from './time.ts';
import type { Immutable, WireObject } from './wire-object.ts';

const longestSummary = 2_000;
const mostParts = 8;

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const totalSchema = z.object({ label: z.string().min(1), value: z.union([z.string(), z.number()]) });

const previewPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('totals'), totals: z.array(totalSchema).min(1) }),
  z.object({ type: z.literal('list'), title: z.string().optional(), items: z.array(z.string()) }),
  z.object({
    type: z.literal('table'),
    title: z.string().optional(),
    rows: z.array(z.record(z.string(), cellSchema)),
    rowCount: z.int().nonnegative().optional(),
  }),
  z.object({ type: z.literal('diff'), title: z.string().optional(), before: z.string(), after: z.string() }),
]);

const effectShape = {
  /** The effect in one sentence of at most 2,000 characters. */
  summary: z.string().min(1).max(longestSummary),
  parts: z.array(previewPartSchema).max(mostParts).optional(),
};

export const effectSchema = z.object(effectShape);

/** The effect that a call would have, with a question, as of `at`. @source ADR 0040 */
export const previewSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('made'), at: timeSchema, digest: z.string(), ...effectShape }),
  z.object({ state: z.literal('failed'), at: timeSchema, required: z.literal(true).optional() }),
]);

/** The effect that a call would have, for the person who is asked about it: at most 32,768 characters of JSON. */
export type Preview = WireObject<typeof effectShape>;

/** One part of a preview: totals, a list, a table, or two versions of a text. */
export type PreviewPart = Immutable<z.infer<typeof previewPartSchema>>;

export type PreviewJson = Immutable<z.infer<typeof previewSchema>>;
