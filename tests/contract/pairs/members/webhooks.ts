import { webhook } from 'countersign/plugins/webhooks';
import { onTestFinished } from 'vitest';
import { serve } from '../../../../lib/testing/server/serve.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { isThere, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = async (setup) => {
  const received: (string | null)[] = [];
  const receiver = await serve({
    fetch(request) {
      received.push(request.headers.get('webhook-signature'));
      return new Response(null, { status: 204 });
    },
  });
  onTestFinished(() => receiver.close());
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const settings = { id: 'pager', url: receiver.url, secrets: [secret], allowPrivateNetwork: true };
  setup.subscribers.push(webhook(settings));
  proves(setup, 'webhooks', () =>
    waitFor(() => isThere(received.filter((signature) => signature !== null).length)),
  );
};
