import { z } from 'zod';
import type { WireObject } from '../wire-object.ts';

const draftShape = {
  textId: z.string(),
  delta: z.string(),
  position: z.number().optional(),
  /** The previous content of this text is retracted: the model is called again. */
  reset: z.literal(true).optional(),
};

export const draftSchema = z.object(draftShape);

/**
 * Text that is not released yet: the data of a transient `data-draft` part. `delta` continues the text with
 * this `textId`. The first delta of a text has its `position`: its place in the order in which the turn
 * produced everything. A text may restart. An empty delta with a `position` moves the text.
 *
 * @source S3, T6
 */
export type DraftJson = WireObject<typeof draftShape>;
