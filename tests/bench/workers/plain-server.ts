import { join } from 'node:path';
import { createUIMessageStreamResponse } from 'ai';
import { serve } from '../../../lib/testing/server/serve.ts';
import { createPlainServer, type PlainRequest } from '../contestants/plain-ai.ts';
import { createTill } from '../support/payment-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchProcess } from '../support/watch-process.ts';
import { offer } from '../support/worker-process.ts';

/** Plain `ai` behind real HTTP, by the same adapter as ours. */
offer({
  ...watchProcess(),

  /** @returns its address */
  async open(): Promise<string> {
    const server = createPlainServer(join(temporaryFolder(), 'plain.sqlite'), createTill());
    const { url } = await serve({
      async fetch(request) {
        const body: PlainRequest = await request.json();
        return createUIMessageStreamResponse({ stream: await server.respond(body) });
      },
    });
    return url;
  },
});
