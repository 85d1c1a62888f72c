import { z } from 'zod';
import type { QuestionFilter } from '../../flow/question-filter.ts';
import { parseChatId } from '../../protocol/index.ts';
import { parseRequest } from './parse-request.ts';

const longestText = 200;

const text = (name: string) =>
  z
    .string()
    .min(1, { error: `\`${name}\` must not be empty.` })
    .optional();

const time = (name: string) =>
  z.iso
    .datetime({ error: `\`${name}\` must be a time in UTC, such as 2026-01-02T03:04:05Z.` })
    .transform((iso) => Date.parse(iso))
    .optional();

const filterSchema = z.object({
  toolName: text('toolName'),
  chatId: z.string().transform(parseChatId).optional(),
  askedBy: text('askedBy'),
  requestedSince: time('requestedSince'),
  requestedBefore: time('requestedBefore'),
  risk: z.enum(['low', 'medium', 'high'], { error: '`risk` must be one of: low, medium, high.' }).optional(),
  text: z
    .string()
    .trim()
    .min(1, { error: '`text` must not be empty.' })
    .max(longestText, { error: `\`text\` must have at most ${longestText} characters.` })
    .optional(),
});

/**
 * Parses a filter. An invalid value is refused: the list without it shows more.
 *
 * @throws CountersignError `invalid-request`
 * @source H9
 */
export function questionQuery(query: URLSearchParams): QuestionFilter {
  return parseRequest(filterSchema, Object.fromEntries(query));
}
