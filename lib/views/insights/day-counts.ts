import type { Question } from '../../protocol/index.ts';
import { addTally, emptyTally, type Tally, tallyOf } from './tally.ts';

/** What questions are grouped by. */
export const groupings = ['tool', 'risk', 'approver', 'slot'] as const;

/** @see groupings */
export type Grouping = (typeof groupings)[number];

/** A tally, with the name to show for its key. */
type NamedTally = Tally & { name?: string };

/** The tallies of one grouping, by key. */
export type Group = Map<string, NamedTally>;

/** The tallies of the questions that were asked on one day. */
export type DayCounts = Readonly<Record<Grouping, Group>>;

/** The key of everything that a full group does not tell apart. No tool, risk, person or slot has it. */
export const othersKey = '';

/** The key of questions without a risk. */
export const noRiskKey = 'none';

/**
 * How many keys a group tells apart in one day. The rest is counted together, so that a day stays small if everybody answers their own
 * questions.
 */
export const mostKeys = 100;

const dayMs = 86_400_000;
/** A quarter of an hour: the offsets of all time zones are multiples of it. */
export const slotMs = 900_000;

/** The day that contains a time given in epoch milliseconds. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** When a day begins, in epoch milliseconds. */
export function startOfDay(day: number): number {
  return day * dayMs;
}

/** A day without questions. */
export function emptyDay(): DayCounts {
  return { tool: new Map(), risk: new Map(), approver: new Map(), slot: new Map() };
}

/** Counts a question on the day on which it was asked. An open question changes nothing. */
export function countQuestion(day: DayCounts, question: Question): void {
  const tally = tallyOf(question);
  if (!tally) return;
  const { toolName, title, risk, answer, requestedAt } = question;
  addTo(day.tool, toolName, tally, title);
  addTo(day.risk, risk ?? noRiskKey, tally);
  if (answer) addTo(day.approver, answer.by.id, tally, answer.by.name);
  addTo(day.slot, String(Math.floor((requestedAt - startOfDay(dayOf(requestedAt))) / slotMs)), tally);
}

/** Adds a tally under a key, or to the others if the group has no room for another key. The last name of a key stays. */
export function addTo(group: Group, key: string, tally: Tally, name?: string, most = mostKeys): void {
  const isKnown = group.has(key) || group.size - (group.has(othersKey) ? 1 : 0) < most;
  const place = isKnown ? key : othersKey;
  const found: NamedTally = group.get(place) ?? emptyTally();
  group.set(place, found);
  addTally(found, tally);
  if (name !== undefined && place !== othersKey) found.name = name;
}

type StoredTally = [key: string, counts: number[], waits: [bucket: number, count: number][], name?: string];

/** A day as text. Keys are not names of properties, because a tool may have any name. */
export function dayText(day: DayCounts): string {
  const stored = groupings.map((grouping) =>
    [...day[grouping]].map(
      ([key, { counts, waits, name }]): StoredTally =>
        name === undefined ? [key, counts, [...waits]] : [key, counts, [...waits], name],
    ),
  );
  return JSON.stringify(stored);
}

/** Parses the text of a day. */
export function parseDay(text: string): DayCounts {
  const stored = JSON.parse(text) as StoredTally[][];
  const group = (index: number): Group =>
    new Map(
      stored[index]?.map(([key, counts, waits, name]) => [
        key,
        { counts, waits: new Map(waits), ...(name !== undefined && { name }) },
      ]),
    );
  return { tool: group(0), risk: group(1), approver: group(2), slot: group(3) };
}
