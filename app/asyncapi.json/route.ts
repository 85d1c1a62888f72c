import { asyncApiDocument } from 'countersign/dialects';
import { version } from '../../package.json';

export const dynamic = 'force-static';

/** The AsyncAPI 3 document of the sockets and event streams. */
export function GET(): Response {
  return Response.json(asyncApiDocument({ version }));
}
