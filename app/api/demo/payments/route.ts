import { errorResponse, guardRequest } from 'countersign/http/server';
import { countersign } from '../../../_server/countersign.ts';

/** Every payment that was really executed, so that anybody can count. */
export async function GET(request: Request): Promise<Response> {
  try {
    const { authorize, database, guard } = await countersign();
    guardRequest(request, guard);
    if (!(await authorize(request))) return new Response(null, { status: 401 });
    return Response.json({ payments: database.listPayments() }, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    return errorResponse(error, console);
  }
}
