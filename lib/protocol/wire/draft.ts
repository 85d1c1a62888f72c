import { z } from 'zod';
import type { WireObject } from './wire-object.ts';

const draftShape = { textId: z.string(), delta: z.string() };

/** @see DraftJson */
export const draftSchema = z.object(draftShape);

/** Text that is not released yet: the data of a transient `data-draft` part. @source S3, T6 */
export type DraftJson = WireObject<typeof draftShape>;
