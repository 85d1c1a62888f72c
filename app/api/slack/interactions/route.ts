import { slack } from '../../../_channels/slack.ts';
import { countersign } from '../../../_server/countersign.ts';

/** What Slack sends when somebody clicks a button. Authenticated by Slack's signature instead of a cookie. */
export async function POST(request: Request): Promise<Response> {
  const handle = (await countersign()).channelHandlers.get(slack);
  return handle ? handle(request) : new Response(null, { status: 404 });
}
