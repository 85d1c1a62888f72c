import { z } from 'zod';
import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import type { Clock } from '../../protocol/index.ts';
import { personSchema } from '../../protocol/wire/person.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { createRateLimit } from '../../rights/rate-limit.ts';
import { parseRequest } from '../../server/requests/parse-request.ts';
import { delegationJson, delegationSchema } from './delegation.ts';
import type { DelegationMethods } from './methods.ts';

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

/** How often each person may use the endpoints of this instance. */
export function createLimits(clock: Clock) {
  return {
    lookUps: createRateLimit({ perMinute: lookUpsPerMinute, clock }),
    changes: createRateLimit({ perMinute: changesPerMinute, clock }),
  };
}

/**
 * `GET /api/delegations`: the live ones of this person. `POST`: lets another person answer. `DELETE /api/delegations/{id}`: ends one that
 * this person has given or received. `GET /api/people?search=`: people to delegate to, at most ten, with id and name only.
 *
 * @source ADR 0049
 */
export function delegationEndpoints(
  { give, list, revoke, people }: DelegationMethods,
  limits: ReturnType<typeof createLimits>,
  route: MakeRoute,
): readonly Endpoint[] {
  const delegations = {
    GET: route(async ({ principal }) => {
      const { given, received, longestMs } = await list({ principal });
      return Response.json({
        given: given.map(delegationJson),
        received: received.map(delegationJson),
        longestMs,
      } satisfies Body<typeof delegationsSchema>);
    }),
    POST: route(async ({ principal, json }) => {
      const { until, note, ...request } = parseRequest(delegateSchema, await json());
      limits.changes.take(principal);
      const delegation = await give({
        principal,
        ...request,
        until: Date.parse(until),
        note: note ? note.toWellFormed() : undefined,
      });
      const body = { delegation: delegationJson(delegation) } satisfies Body<typeof delegatedSchema>;
      return Response.json(body, { status: 201 });
    }),
  };
  const DELETE = route(async ({ principal, segment }) => {
    limits.changes.take(principal);
    await revoke({ principal, delegationId: segment(0) });
    return new Response(null, { status: 204 });
  });
  const search = route(async ({ principal, query }) => {
    limits.lookUps.take(principal);
    const found = await people({ principal, search: query.get('search') ?? '' });
    return Response.json({ people: [...found] } satisfies Body<typeof peopleSchema>);
  });
  return [
    { path: '/delegations', methods: delegations },
    { path: '/delegations/{delegationId}', methods: { DELETE } },
    { path: '/people', methods: { GET: search } },
  ];
}
