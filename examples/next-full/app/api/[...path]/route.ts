import { countersign } from '../../../countersign';

const handler = (request: Request) => countersign().handle(request);

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST };
