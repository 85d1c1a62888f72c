import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { answerPreflight, withSharedHeaders } from '../cross-origin.ts';
import { errorResponse } from '../errors.ts';
import type { GuardSettings } from '../guard.ts';

/** `GET /api/health/live` and `GET /api/health/ready`. @source H-Health */
export const healthSchema = z.object({ status: z.enum(['ok', 'unavailable']) });

type HealthJson = z.infer<typeof healthSchema>;

/** `GET /api/health/live`. Never queries the store: orchestrators kill processes that wait for it. @source H-Health */
export function liveness(settings: GuardSettings): Route {
  return createProbe(settings, async () => true);
}

/** `GET /api/health/ready`: one bit. Probes have no identity and use the host's address. @source H-Health */
export function readiness(flow: ApprovalFlow, settings: GuardSettings): Route {
  return createProbe(settings, () => flow.isReady());
}

function createProbe(settings: GuardSettings, isHealthy: () => Promise<boolean>): Route {
  return async (request) => {
    const response =
      request.method === 'OPTIONS'
        ? await answerPreflight(request, settings).catch((error: unknown) => errorResponse(error))
        : healthResponse(await isHealthy());
    return withSharedHeaders(response, request, settings);
  };
}

function healthResponse(isHealthy: boolean): Response {
  const body: HealthJson = { status: isHealthy ? 'ok' : 'unavailable' };
  return Response.json(body, { status: isHealthy ? 200 : 503 });
}
