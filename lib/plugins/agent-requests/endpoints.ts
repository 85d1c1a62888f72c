import type { z } from 'zod';
import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import type { Kernel } from '../../flow/plugin/plugin.ts';
import { CountersignError } from '../../protocol/index.ts';
import { assertSafeJson } from '../../protocol/safe-json.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { createRateLimit } from '../../rights/rate-limit.ts';
import { runtime } from '../../runtime/runtime.ts';
import { parseRequest } from '../../server/requests/parse-request.ts';
import type { approvalSchema } from '../../server/routes/approvals.ts';
import { questionHistory } from '../../server/routes/question-history.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import { approvalRequestSchema } from './agent-request.ts';
import type { AgentRequestMethods } from './methods.ts';

const longestKey = 200;

/** A person reads it. As JSON in UTF-8. */
const mostBytes = 64 * 1024;

/** Applies even if the host sets no limit, because each request asks for a person's attention. */
const requestsPerMinute = 60;

/**
 * `POST /api/approvals`: asks for approval of something that an agent outside the flow wants to do. The header
 * `Idempotency-Key` is required: a repeated request gets the question of the first one.
 *
 * @source H9, ADR 0044
 */
export function agentRequestEndpoints(
  { approvals, clock }: Pick<Kernel, 'approvals' | 'clock'>,
  { create }: AgentRequestMethods,
  route: MakeRoute,
): readonly Endpoint[] {
  const limit = createRateLimit({ perMinute: requestsPerMinute, clock });
  const POST = route(async ({ request, principal, json }) => {
    const body = await json();
    const key = keyOf(request);
    assertSafeJson(body, 'The request');
    const asked = parseRequest(approvalRequestSchema, body);
    const bytes = runtime.utf8Length(JSON.stringify(asked));
    if (bytes > mostBytes) {
      const text = `The request has ${bytes} bytes of JSON. At most ${mostBytes} can be shown to a person.`;
      throw new CountersignError('payload-too-large', text);
    }
    limit.take(principal);
    const approvalId = await create({ principal, key, ...asked });
    const question = await approvals.read({ principal, approvalId });
    return Response.json({
      approval: questionJson(question),
      history: questionHistory(question),
    } satisfies Immutable<z.infer<typeof approvalSchema>>);
  });
  return [{ path: '/approvals', methods: { POST } }];
}

/** @throws CountersignError `invalid-request` */
function keyOf({ headers }: Request): string {
  const key = headers.get('idempotency-key') ?? '';
  if (key.length > 0 && key.length <= longestKey) return key;
  throw new CountersignError(
    'invalid-request',
    `Send an Idempotency-Key of 1 to ${longestKey} characters, so that the request can be repeated safely.`,
  );
}
