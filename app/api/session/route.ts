import { CountersignError, type Principal } from 'countersign';
import { errorResponse, guardRequest, readJson } from 'countersign/http/server';
import { type Countersign, countersign } from '../../_server/countersign.ts';
import { parseLogin } from '../../_server/login.ts';

/**
 * Who this request acts as: `{ user: { id, name, role? } | null }`. A cookie that is refused is removed, since the browser
 * would send it for ever.
 */
export async function GET(request: Request): Promise<Response> {
  return answer(request, async ({ authorize, identity }) => {
    try {
      const principal = await authorize(request);
      return Response.json({ user: principal && userOf(principal) });
    } catch (error) {
      const refused = errorResponse(error, console);
      // With a key in the request it may be the key that is refused.
      const isOfCookie = refused.status === 401 && !request.headers.has('authorization');
      if (isOfCookie) refused.headers.set('set-cookie', await identity.clear(request));
      return refused;
    }
  });
}

/** Signs in under any name. A demo: only on this machine, or with `COUNTERSIGN_DEMO_LOGIN=1`. */
export async function POST(request: Request): Promise<Response> {
  return answer(request, async ({ identity, settings }) => {
    // A server for this machine may still stand behind a proxy, which would let strangers sign in as anybody.
    const isLocalUser = settings.isLocal && settings.localUser && identity.isLocal(request);
    if (!settings.demoLogin && !isLocalUser) {
      throw new CountersignError(
        'forbidden',
        'The demo login is off here. Set COUNTERSIGN_DEMO_LOGIN=1 to use it.',
      );
    }
    const user = parseLogin(await readJson(request));
    return Response.json({ user }, { headers: { 'set-cookie': await identity.issue(user, request) } });
  });
}

/** Signs out: the session ends, here and on every other instance. */
export async function DELETE(request: Request): Promise<Response> {
  return answer(request, async ({ identity }) => {
    return new Response(null, { status: 204, headers: { 'set-cookie': await identity.clear(request) } });
  });
}

/** What pages show. */
function userOf({ id, name, role }: Principal) {
  return { id, name, role };
}

async function answer(
  request: Request,
  handle: (instance: Countersign) => Promise<Response>,
): Promise<Response> {
  try {
    const instance = await countersign();
    guardRequest(request, instance.guard);
    const response = await handle(instance);
    response.headers.set('cache-control', 'no-store');
    return response;
  } catch (error) {
    return errorResponse(error, console);
  }
}
