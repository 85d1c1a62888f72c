import type { Question } from '../../protocol/index.ts';
import { addPacked, emptyTally, type PackedTally, packTally, type Tally, tallyOf } from './tally.ts';

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
const mostKeys = 100;

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
export function addTo(
  group: Group,
  key: string,
  tally: PackedTally,
  name?: string,
  most: number = mostKeys,
): void {
  const isKnown = group.has(key) || group.size - (group.has(othersKey) ? 1 : 0) < most;
  const place = isKnown ? key : othersKey;
  const found: NamedTally = group.get(place) ?? emptyTally();
  group.set(place, found);
  addPacked(found, tally);
  if (name !== undefined && place !== othersKey) found.name = name;
}

/** The tally of a key, with its name. Keys are not names of properties, because a tool may have any name. */
type StoredTally = readonly [key: string, tally: PackedTally, name?: string];

/** A day as it is stored. */
export type StoredDay = Readonly<Record<Grouping, readonly StoredTally[]>>;

/** A day as text. */
export function dayText(day: DayCounts): string {
  const stored = ({ name, ...tally }: NamedTally, key: string): StoredTally =>
    name === undefined ? [key, packTally(tally)] : [key, packTally(tally), name];
  const lists = groupings.map((grouping) => [
    grouping,
    [...day[grouping]].map(([key, tally]) => stored(tally, key)),
  ]);
  return JSON.stringify(Object.fromEntries(lists));
}

/** Parses the text of a day. */
export function parseDay(text: string): StoredDay {
  return JSON.parse(text) as StoredDay;
}

/** A stored day, to count more questions. */
export function unpackDay(stored: StoredDay): DayCounts {
  const day = emptyDay();
  for (const grouping of groupings) {
    for (const [key, tally, name] of stored[grouping]) {
      addTo(day[grouping], key, tally, name, Number.POSITIVE_INFINITY);
    }
  }
  return day;
}
