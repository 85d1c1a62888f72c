import { CountersignError, parseApprovalId } from 'countersign';
import { errorResponse, guardRequest, readJson } from 'countersign/http/server';
import { z } from 'zod';
import { countersign } from '../../../_server/countersign.ts';

const request = z.object({ approvalId: z.string() });

/** Makes a link by which the signed-in person can answer a question without JavaScript, and returns `{ url }`. An app would send it by e-mail. */
export async function POST(incoming: Request): Promise<Response> {
  try {
    const { authorize, createLink, flow, guard } = await countersign();
    guardRequest(incoming, guard);
    const principal = await authorize(incoming);
    if (!principal) throw new CountersignError('unauthenticated', 'Nobody is signed in. Sign in first.');
    const { data } = request.safeParse(await readJson(incoming));
    if (!data) throw new CountersignError('invalid-request', 'Send { approvalId }.');
    const { id } = await flow.approvals.read({ principal, approvalId: parseApprovalId(data.approvalId) });
    if (!createLink) throw new CountersignError('invalid-request', 'Answer links need COUNTERSIGN_URL.');
    const url = await createLink({ approvalId: id, for: principal });
    return Response.json({ url }, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    return errorResponse(error, console);
  }
}
