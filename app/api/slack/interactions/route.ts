import { countersign } from '../../../_server/countersign.ts';

/** What Slack sends when somebody clicks a button. Authenticated by Slack's signature instead of a cookie. */
export async function POST(request: Request): Promise<Response> {
  const { slack } = await countersign();
  return slack ? slack(request) : new Response(null, { status: 404 });
}
