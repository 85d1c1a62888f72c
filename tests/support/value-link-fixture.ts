import type { ToolSet } from 'ai';
import { askPerson, type FlowSettings } from 'countersign';
import type { AnswerLinkSettings } from 'countersign/plugins/links';
import type { Script } from 'countersign/testing';
import { z } from 'zod';
import { answerLinksFixture, readPage, sendForm } from './answer-links-fixture.ts';
import { ask, done } from './form-fixture.ts';

/** A field of each kind that a link page can show. */
const stay = z.object({
  from: z.iso.date().describe('The first day.'),
  nights: z.int().min(1).max(30),
  room: z.enum(['single', 'double']).meta({ title: 'Kind of room' }),
  breakfast: z.boolean(),
  budget: z.number().gt(0).optional(),
  arrival: z.iso.datetime().optional(),
  wakeUp: z.iso.time().optional(),
  mail: z.email().optional(),
  site: z.url().optional(),
  code: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  note: z.string().min(2).max(500).optional(),
  floor: z.enum(['1', '2', '3', '4', '5', '6']).optional(),
  guests: z.number().nullable(),
});

/** The controls of a valid answer, as a browser sends them. */
export const values = {
  'value/from': '2026-12-01',
  'value/nights': '3',
  'value/room': '1',
  'value/breakfast': '1',
  'value/budget': '',
  'value/arrival': '',
  'value/wakeUp': '',
  'value/mail': '',
  'value/site': '',
  'value/code': '',
  'value/note': '',
  'value/floor': '',
  'value/guests': '',
};
/** The value that they stand for. */
export const answered = { from: '2026-12-01', nights: 3, room: 'double', breakfast: false, guests: null };

/** A chat in which the model asks for a value of this schema, and a link for Ada. */
export async function askedFor(
  schema: z.ZodType = stay,
  given: Partial<FlowSettings> = {},
  more: Partial<AnswerLinkSettings> = {},
  script: Script = [[ask()], done],
) {
  const tools = { askForDates: askPerson({ schema, title: 'Dates' }) } as ToolSet;
  const fixture = await answerLinksFixture({ tools, mayAnswer: () => true, ...given }, more, script);
  const url = await fixture.linkFor({ id: 'ada' });
  return {
    ...fixture,
    url,
    /** Sends the first form. */
    openForm: async (reason = '', at = url) =>
      sendForm(at, { ...(await readPage(at)).fields, answer: 'approve', reason }),
    state: async () => (await fixture.store.questions.read(fixture.id))?.state,
    /** What the model gets. */
    result: async () => {
      await fixture.flow.close();
      const told = fixture.model.calls[1]?.prompt.filter(({ role }) => role === 'tool');
      return JSON.stringify(told).replaceAll('\\"', '"');
    },
  };
}
