import { z } from 'zod';
import type { AuthorizedRequest, Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import { personSchema } from '../../protocol/wire/person.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../../server/errors.ts';
import { parseRequest } from '../../server/requests/parse-request.ts';
import { csvText } from './csv.ts';
import type { Insights, QuestionCounts } from './insights.ts';
import type { InsightsRequest } from './read-insights.ts';

const countSchema = z.int().nonnegative();
const countsSchema = z.object({
  settled: countSchema.describe('All of them: `approved`, `denied`, `expired` and `withdrawn`.'),
  approved: countSchema,
  quick: countSchema.describe('Of the approved ones: within three seconds.'),
  edited: countSchema.describe('Of the approved ones: with edited arguments.'),
  denied: countSchema,
  expired: countSchema.describe('The deadline passed without an answer.'),
  withdrawn: countSchema.describe('Ended without an answer for another reason, such as a new message.'),
  waitMs: z
    .object({ median: countSchema, p95: countSchema })
    .optional()
    .describe(
      'How long the answered ones waited, within 5 % of the exact values. Absent if none was answered.',
    ),
});

/** The response of `GET /api/operations/insights`. @source ADR 0052 */
export const insightsSchema = z.object({
  since: timeSchema.describe('The begin of the first day, UTC.'),
  until: timeSchema.describe('The end of the last day, UTC.'),
  timeZone: z.string(),
  all: countsSchema,
  tools: z
    .array(countsSchema.extend({ toolName: z.string().optional(), title: z.string().optional() }))
    .describe('Most questions first. Without a name: all tools that are not listed.'),
  risks: z
    .array(countsSchema.extend({ risk: z.enum(['low', 'medium', 'high']).optional() }))
    .describe('Highest risk first. Without `risk`: questions without one.'),
  approvers: z
    .array(countsSchema.extend({ approver: personSchema.optional() }))
    .describe('Most answers first. Without `approver`: everybody who is not listed.'),
  hours: z
    .array(countsSchema.extend({ hour: z.int().min(0).max(23) }))
    .describe('By the hour of the day in which the question was asked, in `timeZone`.'),
});

/** @see insightsSchema */
type InsightsJson = Immutable<z.infer<typeof insightsSchema>>;

const sinceError =
  '`since` must be a number of days, such as 30d, or a time as ISO 8601, such as 2026-11-25T09:00:00Z.';
const isoSchema = z.iso.datetime({ error: sinceError }).transform((text) => Date.parse(text));
const querySchema = z.object({
  since: z
    .union(
      [
        z
          .string()
          .regex(/^[1-9]\d{0,2}d$/)
          .transform((text) => ({ days: Number.parseInt(text, 10) })),
        isoSchema.transform((since) => ({ since })),
      ],
      { error: sinceError },
    )
    .optional(),
  until: z.iso
    .datetime({ error: '`until` must be a time as ISO 8601, such as 2026-11-25T09:00:00Z.' })
    .transform((text) => Date.parse(text))
    .optional(),
  timeZone: z.string().max(64, { error: 'The name of the time zone is too long.' }).optional(),
});

type Read = (request: InsightsRequest) => Promise<Insights>;

/** The endpoints of the plugin. 404 for everyone for whom `mayOperate` does not return `true`. */
export function insightsEndpoints(read: Read, route: MakeRoute): readonly Endpoint[] {
  const requested = ({ principal, query }: AuthorizedRequest) => {
    const { since, ...request } = parseRequest(querySchema, Object.fromEntries(query));
    return read({ principal, ...request, ...since });
  };
  return [
    {
      path: '/operations/insights',
      methods: { GET: route(async (request) => jsonOf(await requested(request))) },
    },
    {
      path: '/operations/insights.csv',
      methods: { GET: route(async (request) => csvOf(await requested(request))) },
    },
  ];
}

function jsonOf({ since, until, ...counts }: Insights): Response {
  return Response.json({ ...counts, since: isoTime(since), until: isoTime(until) } satisfies InsightsJson);
}

/** The same as a table, for spreadsheets. */
function csvOf(insights: Insights): Response {
  const [since, until] = [insights.since, insights.until - 1].map((at) => isoTime(at).slice(0, 10));
  return new Response(csvText(rowsOf(insights)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="insights-${since}-${until}.csv"`,
    },
  });
}

const columns = [
  'settled',
  'approved',
  'quick',
  'edited',
  'denied',
  'expired',
  'withdrawn',
] as const satisfies readonly (keyof QuestionCounts)[];

function rowsOf({ all, tools, risks, approvers, hours }: Insights): (string | number | undefined)[][] {
  const row = (group: string, key: string, name: string, counts: QuestionCounts) => [
    ...[group, key, name],
    ...columns.map((column) => counts[column]),
    ...[counts.waitMs?.median, counts.waitMs?.p95],
  ];
  return [
    ['group', 'key', 'name', ...columns, 'median_wait_ms', 'p95_wait_ms'],
    row('all', '', '', all),
    ...tools.map(({ toolName = '', title = '', ...counts }) => row('tool', toolName, title, counts)),
    ...risks.map(({ risk = '', ...counts }) => row('risk', risk, '', counts)),
    ...approvers.map(({ approver, ...counts }) =>
      row('approver', approver?.id ?? '', approver?.name ?? '', counts),
    ),
    ...hours.map(({ hour, ...counts }) => row('hour', String(hour), '', counts)),
  ];
}
