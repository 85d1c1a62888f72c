import { askPerson, type FlowSettings } from 'countersign';
import type { Script, ScriptedStep } from 'countersign/testing';
import { z } from 'zod';
import { countingTools, flowFixture } from './flow-fixture.ts';

export const stay = z.object({
  from: z.iso.date(),
  nights: z.number().int().min(1),
  guests: z.array(z.object({ name: z.string() })).optional(),
});
export const dates = { from: '2026-12-01', nights: 3 };

export const ask = (id = 'a', question = 'Which dates suit you?'): ScriptedStep[number] => ({
  call: 'askForDates',
  input: { question },
  id,
});
export const done: ScriptedStep = [{ text: 'Booked.' }];

/** A flow with a tool with which the model asks for dates, and the counting tools. */
export function askingForDates(script: Script, settings: Partial<FlowSettings> = {}) {
  const { tools } = countingTools();
  const askForDates = askPerson({ schema: stay, title: 'Dates' });
  return flowFixture(script, { tools: { ...tools, askForDates }, ...settings } as Partial<FlowSettings>);
}
