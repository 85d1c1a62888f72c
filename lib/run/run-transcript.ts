import type { ToolCallId } from '../protocol/index.ts';
import type { Run, RunTranscript } from './run.ts';

/** The chat's transcript, with everything that was decided so far. */
export async function transcriptOf({ transcripts, journal, runId }: Run): Promise<RunTranscript> {
  // If several answers arrive together, one wins. Only its run calls the model, because its start is durable.
  if (journal.head.runId !== runId) await journal.commit(runId);
  let transcript = await transcripts.load(journal.head);
  // An append of this run may have become durable while the log was read.
  while (transcript.seq < journal.head.seq) transcript = await transcripts.load(journal.head);
  return {
    messages: () => transcript.messages(journal.pending),
    firstRunId: transcript.firstRunId,
    hasCall: (id) => transcript.hasCall(id) || journal.turn.calls.has(id as ToolCallId),
  };
}
