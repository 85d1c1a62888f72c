import { askPerson } from 'countersign';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';

const stay = z.object({
  from: z.iso.date().describe('The first day.'),
  nights: z.number().int().min(1).max(30).describe('How many nights.'),
});

/** `ask_for_dates`: the model asks a person for the dates of a trip. What the person fills in is the result. */
export function askForDatesTool() {
  return askPerson({
    schema: stay,
    title: 'Travel dates',
    description: 'Ask for the dates of a trip.',
  });
}

/** How `ask_for_dates` is presented. */
export const askForDatesDetails: ToolDetails<unknown, z.infer<typeof stay>> = {
  title: 'Travel dates',
  risk: 'low',
  summarize: ({ from, nights }) => ({ summary: `From ${from}, nights: ${nights}`, resultCount: 1 }),
};
