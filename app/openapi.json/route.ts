import { openApiDocument } from 'countersign/plugins/api-documents';
import { version } from '../../package.json';
import { countersign } from '../_server/countersign.ts';
import { dialects } from '../_server/plugins.ts';

/** The OpenAPI 3.1 document of the API. */
export async function GET(): Promise<Response> {
  const { flow } = await countersign();
  return Response.json(openApiDocument({ version, plugins: flow.plugins, dialects }));
}
