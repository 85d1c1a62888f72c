import { countersign } from '../../_server/countersign.ts';

/** The page of an answer link. Also handles the forms and OPTIONS: `answerLinks.GET` and `answerLinks.POST` are the same route. */
export async function GET(request: Request): Promise<Response> {
  const { answerLinks } = await countersign();
  return answerLinks ? answerLinks.GET(request) : new Response(null, { status: 404 });
}

/** The forms of the page. Only the second one answers. */
export const POST = GET;
export const OPTIONS = GET;
