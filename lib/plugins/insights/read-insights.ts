import { CountersignError, type Principal, type Risk } from '../../protocol/index.ts';
import { checkOperator } from '../../rights/permissions.ts';
import { currentId } from '../../settings/former-ids.ts';
import { type CountingParts, countSettled, keptDays, readDays } from './count-questions.ts';
import {
  addTo,
  type DayCounts,
  dayOf,
  emptyDay,
  type Group,
  groupings,
  noRiskKey,
  othersKey,
  type StoredDay,
  startOfDay,
} from './day-counts.ts';
import type { Insights, QuestionCounts } from './insights.ts';
import { createLocalHours } from './local-hours.ts';
import { addPacked, countIn, countNames, emptyTally, packTally, settledIn, type Tally } from './tally.ts';
import { waitAt } from './wait-buckets.ts';

/** @see InsightsMethods.read */
export type InsightsRequest = {
  readonly principal: Principal;
  /** Questions that were asked on or after the day of this time, UTC, in epoch milliseconds. Default: see `days`. */
  readonly since?: number;
  /** Without `since`: how many days, including the last one. A whole number. Default: 30. */
  readonly days?: number;
  /** Questions that were asked before the end of the day that ends at or after this time, UTC, in epoch milliseconds. Default: now. */
  readonly until?: number;
  /** Of the hours of the day: an IANA name. Default: `UTC`. */
  readonly timeZone?: string;
};

/** A group of a report has at most this many items, and one for the others. */
const mostItems = 50;
const defaultDays = 30;

/** @see InsightsMethods.read */
export async function readInsights(parts: CountingParts, request: InsightsRequest): Promise<Insights> {
  const { settings, store, clock } = parts;
  await checkOperator(settings, request.principal);
  const { timeZone = 'UTC' } = request;
  const { first, end } = periodOf(request, dayOf(await clock.sure()));
  const hourOf = createLocalHours(timeZone);
  await countSettled(parts);
  const days = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  const total = emptyDay();
  const hours = Array.from({ length: 24 }, emptyTally);
  for (const [day, counted] of await readDays(store, days)) {
    addDay(total, counted, (id) => currentId(settings, id));
    for (const [slot, tally] of counted.slot) {
      const hour = hours[hourOf(day, Number(slot))];
      if (hour) addPacked(hour, tally);
    }
  }
  const all = emptyTally();
  for (const hour of hours) addPacked(all, packTally(hour));
  return {
    ...{ since: startOfDay(first), until: startOfDay(Math.max(first, end)), timeZone },
    all: countsOf(all),
    tools: items(total.tool, (key, name) => ({ toolName: key, title: name })),
    risks: (['high', 'medium', 'low', noRiskKey] as const).flatMap((risk) => {
      const tally = total.risk.get(risk);
      return tally
        ? [{ risk: risk !== noRiskKey ? (risk satisfies Risk) : undefined, ...countsOf(tally) }]
        : [];
    }),
    approvers: items(total.approver, (id, name = id) => ({ approver: { id, name } })),
    hours: hours.map((tally, hour) => ({ hour, ...countsOf(tally) })),
  };
}

/** The first day of a report, and the day that follows its last one. */
function periodOf(request: InsightsRequest, today: number): { first: number; end: number } {
  const { until = startOfDay(today + 1), days = defaultDays } = request;
  const end = Math.min(Math.ceil(until / startOfDay(1)), today + 1);
  const { since = startOfDay(end - days) } = request;
  if (!Number.isInteger(days) || days < 1) {
    throw new CountersignError('invalid-request', '`days` must be a whole number, at least 1.', { days });
  }
  if (!(since <= until)) {
    const text = '`since` must not be after `until`. Both are times in epoch milliseconds.';
    throw new CountersignError('invalid-request', text, { since, until });
  }
  return { first: Math.max(dayOf(since), today - keptDays + 1), end };
}

/** Adds a day to a total. Days are added in order, so the newest name of a key stays. */
function addDay(total: DayCounts, day: StoredDay, idOf: (id: string) => string): void {
  for (const grouping of groupings) {
    if (grouping === 'slot') continue;
    for (const [key, tally, name] of day[grouping]) {
      const current = grouping === 'approver' && key !== othersKey ? idOf(key) : key;
      addTo(total[grouping], current, tally, name, Number.POSITIVE_INFINITY);
    }
  }
}

/** The items of a group, most questions first, with those that are not listed as the last one. */
function items<Named extends object>(
  group: Group,
  named: (key: string, name?: string) => Named,
): (QuestionCounts & Partial<Named>)[] {
  const others = emptyTally();
  const inOrder = [...group]
    .filter(([key]) => key !== othersKey)
    .toSorted(([one, a], [other, b]) => settledIn(b) - settledIn(a) || (one < other ? -1 : 1));
  for (const [, tally] of inOrder.slice(mostItems)) addPacked(others, packTally(tally));
  const rest = group.get(othersKey);
  if (rest) addPacked(others, packTally(rest));
  return [
    ...inOrder.slice(0, mostItems).map(([key, tally]) => ({ ...named(key, tally.name), ...countsOf(tally) })),
    ...(settledIn(others) > 0 ? [countsOf(others) as QuestionCounts & Partial<Named>] : []),
  ];
}

function countsOf(tally: Tally): QuestionCounts {
  const counts = Object.fromEntries(countNames.map((name) => [name, countIn(tally, name)])) as Record<
    (typeof countNames)[number],
    number
  >;
  const [median, p95] = [waitAt(0.5, tally.waits), waitAt(0.95, tally.waits)];
  const waits = median === undefined || p95 === undefined ? {} : { waitMs: { median, p95 } };
  return { settled: settledIn(tally), ...counts, ...waits };
}
