import { z } from 'zod';
import type { JsonSchema } from './operations.ts';

export function linesOf(lines: JsonSchema, required = Object.keys(lines)): JsonSchema {
  return { type: 'object', properties: lines, required };
}

export const idLine = { id: { type: 'string', description: 'Send it back as `Last-Event-ID`.' } };

export const eventLine = (name: string): JsonSchema => ({ event: { const: name } });

/** The payload of a stream's last frame. */
export const donePayload = { done: z.literal('[DONE]') };
