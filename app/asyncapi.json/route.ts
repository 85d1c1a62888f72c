import { asyncApiDocument } from 'countersign/plugins/api-documents';
import { version } from '../../package.json';
import { dialects } from '../_server/plugins.ts';

export const dynamic = 'force-static';

/** The AsyncAPI 3 document of the sockets and event streams. */
export function GET(): Response {
  return Response.json(asyncApiDocument({ version, dialects }));
}
