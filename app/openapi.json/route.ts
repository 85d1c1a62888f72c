import { openApiDocument } from 'countersign/dialects';
import { version } from '../../package.json';
import { countersign } from '../_server/countersign.ts';

/** The OpenAPI 3.1 document of the API. */
export async function GET(): Promise<Response> {
  const { flow } = await countersign();
  return Response.json(openApiDocument({ version, plugins: flow.plugins }));
}
