import { openApiDocument } from 'countersign/dialects';
import { version } from '../../package.json';

export const dynamic = 'force-static';

/** The OpenAPI 3.1 document of the API. */
export function GET(): Response {
  return Response.json(openApiDocument({ version }));
}
