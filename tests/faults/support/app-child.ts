import { countersign } from '../../../app/_server/countersign.ts';
import { GET as api } from '../../../app/api/[...path]/route.ts';
import { GET as payments } from '../../../app/api/demo/payments/route.ts';
import { POST as interactions } from '../../../app/api/slack/interactions/route.ts';
import { serve } from '../../../lib/testing/server/serve.ts';
import { dispatch } from '../../support/app-routes.ts';

// The reference app, with the routes that the tests call that kill it. Settings are its own environment variables.
const { identity } = await countersign();
const routes = dispatch([
  { method: 'GET', path: '/api/demo/payments', handle: payments },
  { method: 'POST', path: '/api/slack/interactions', handle: interactions },
  { method: 'GET', path: '/api/[...path]', handle: api },
  { method: 'POST', path: '/api/[...path]', handle: api },
]);
const { url } = await serve({ before: identity.stampPeer, fetch: routes });
process.on('disconnect', () => process.exit());
process.send?.({ url });
