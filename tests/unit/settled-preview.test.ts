import { expect, it, vi } from 'vitest';
import type { ChatHead } from '../../lib/log/store/index.ts';
import type { Call } from '../../lib/log/turn/turn.ts';
import { currentPreview } from '../../lib/run/preview/remake-preview.ts';

type Writer = Parameters<typeof currentPreview>[0];

it('the effect of a question that is settled is neither determined nor recorded again', async () => {
  const append = vi.fn();
  const clock = { sure: async () => 600_000 };
  const known = { state: 'made', digest: 'shown', summary: '2 users' };
  const call = { asked: { approvalId: 'apr_1', toolCallId: 'one', at: 0, preview: known } };
  const head = { id: 'chat', seq: 9, status: 'idle', open: null };
  const found = await currentPreview(
    { append, clock } as unknown as Writer,
    head as unknown as ChatHead,
    call as unknown as Call,
  );
  expect(found?.preview).toEqual(known);
  expect(append).not.toHaveBeenCalled();
});
