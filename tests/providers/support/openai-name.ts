import { z } from 'zod';

const pattern = /^[a-zA-Z0-9_-]+$/;

/** A tool's name, as Chat Completions and Responses take it. */
export const openaiName = z
  .string()
  .max(64, 'string too long. Expected a string with maximum length 64')
  .regex(
    pattern,
    `string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
  );
