import { z } from 'zod';
import type { WireObject } from '../wire-object.ts';

const draftShape = {
  textId: z.string(),
  delta: z.string(),
  position: z.number().optional(),
  /** What this text said before is taken back: the model is called again. */
  reset: z.literal(true).optional(),
};

/** @see DraftJson */
export const draftSchema = z.object(draftShape);

/**
 * Text that is not released yet: the data of a transient `data-draft` part. `delta` continues the text with this `textId`. The
 * first delta of a text has its `position`: its place among all that the turn has made. A text may begin again. An empty delta
 * with a `position` moves the text.
 *
 * @source S3, T6
 */
export type DraftJson = WireObject<typeof draftShape>;
