import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Endpoint, Route } from '../../flow/plugin/http.ts';
import { type Delegation, parseDelegationId } from '../../protocol/index.ts';
import { type DelegationJson, delegationSchema } from '../../protocol/wire/delegation.ts';
import { personSchema } from '../../protocol/wire/person.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { createRateLimit } from '../../rights/rate-limit.ts';
import { isoTime } from '../errors.ts';
import { parseRequest } from '../requests/parse-request.ts';
import { createRoute, type ServerSettings } from '../route.ts';

/** `GET /api/delegations`. @source ADR 0049 */
export const delegationsSchema = z.object({
  given: z.array(delegationSchema).describe('Who may answer for this person, oldest first.'),
  received: z.array(delegationSchema).describe('For whom this person may answer, oldest first.'),
  longestMs: z.number().describe('The longest time for which this person can delegate.'),
});

/** The body of `POST /api/delegations`. @source ADR 0049 */
export const delegateSchema = z.object({
  to: z.string().min(1).max(256).describe('The id of the other person.'),
  until: timeSchema.describe('When it ends.'),
  toolNames: z.array(z.string()).optional().describe('The tools that it covers. Default: all.'),
  note: z.string().optional().describe('For the other person, at most 200 characters.'),
});

/** `POST /api/delegations`. */
export const delegatedSchema = z.object({ delegation: delegationSchema });

/** `GET /api/people`. @source ADR 0049 */
export const peopleSchema = z.object({ people: z.array(personSchema) });

type Body<Schema extends z.ZodType> = Immutable<z.infer<Schema>>;

/** Applies even if the host sets no limit, because each request asks the directory of people. */
const lookUpsPerMinute = 60;
/** The same for changes: each is kept for good with all delegations, and may close the feed of the other person. */
const changesPerMinute = 20;

/**
 * `GET /api/delegations`: the live ones of this person. `POST`: lets another person answer. `DELETE /api/delegations/{id}`: ends one that
 * this person has given or received.
 *
 * @source ADR 0049
 */
export function delegationEndpoints(flow: ApprovalFlow, settings: ServerSettings): readonly Endpoint[] {
  const limit = createLimit(settings, changesPerMinute);
  const DELETE = createRoute(settings, async ({ principal, segment }) => {
    limit.take(principal);
    await flow.delegation.revoke({ principal, delegationId: parseDelegationId(segment(0)) });
    return new Response(null, { status: 204 });
  });
  const delegations = {
    GET: createRoute(settings, async ({ principal }) => {
      const { given, received, longestMs } = await flow.delegation.list({ principal });
      return Response.json({
        given: given.map(delegationJson),
        received: received.map(delegationJson),
        longestMs,
      } satisfies Body<typeof delegationsSchema>);
    }),
    POST: createRoute(settings, async ({ principal, json }) => {
      const { to, until, toolNames, note } = parseRequest(delegateSchema, await json());
      limit.take(principal);
      const delegation = await flow.delegation.give({
        principal,
        to,
        until: Date.parse(until),
        toolNames,
        note: note ? note.toWellFormed() : undefined,
      });
      const body = { delegation: delegationJson(delegation) } satisfies Body<typeof delegatedSchema>;
      return Response.json(body, { status: 201 });
    }),
  };
  return [
    { path: '/delegations', methods: delegations },
    { path: '/delegations/{delegationId}', methods: { DELETE } },
    { path: '/people', methods: { GET: searchPeople(flow, settings) } },
  ];
}

/** `GET /api/people?search=`: people to delegate to, at most ten. Fields besides id and name are not sent. @source ADR 0049 */
function searchPeople(flow: ApprovalFlow, settings: ServerSettings): Route {
  const limit = createLimit(settings, lookUpsPerMinute);
  return createRoute(settings, async ({ principal, query }) => {
    limit.take(principal);
    const people = await flow.delegation.people({ principal, search: query.get('search') ?? '' });
    return Response.json({ people: people.map(({ id, name }) => ({ id, name })) } satisfies Body<
      typeof peopleSchema
    >);
  });
}

function createLimit({ clock }: ServerSettings, perMinute: number) {
  return createRateLimit({ perMinute, clock });
}

function delegationJson({ id, from, to, createdAt, until, toolNames, note }: Delegation): DelegationJson {
  return {
    id,
    from,
    to,
    createdAt: isoTime(createdAt),
    until: isoTime(until),
    toolNames,
    note,
  };
}
