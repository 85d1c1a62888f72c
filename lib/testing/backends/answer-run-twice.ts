import { lifecycle } from '../chunks/chunk-builders.ts';
import { parseInput } from './client-history.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import * as edit from './response-edits.ts';

/**
 * Runs a call again when its approval is sent again, like any server that does not record the start of a call
 * as unique.
 */
export const answerRunTwice: Misbehaviour = {
  name: 'answer-run-twice',
  rule: 'T12',
  summary: 'An answer that is sent again runs its call again.',
  async respond({ request, isRepeated, ledger, questions }, honest) {
    let chunks = await honest();
    if (!isRepeated) return chunks;
    for (const { approvalId, approved } of request.answers ?? []) {
      const asked = questions.get(approvalId);
      if (!asked || !approved) continue;
      ledger.pay(asked.toolCallId, parseInput(asked.input));
      const again = lifecycle(asked.toolCallId, 'started', { toolName: 'pay', at: new Date().toISOString() });
      chunks = edit.begin(chunks, again);
    }
    return chunks.map((chunk) => {
      const paid = chunk.type === 'tool-output-available' ? ledger.lastOf(chunk.toolCallId) : undefined;
      return paid ? { ...chunk, output: paid } : chunk;
    });
  },
};
