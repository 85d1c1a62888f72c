import { convertToModelMessages, isStepCount, streamText, type ToolSet, type UIMessage } from 'ai';
import { collect, type Script, scriptedModel } from 'countersign/testing';

/**
 * Rejected: the SDK's own approvals, with signed questions, which nobody can invent. The client's history decides what
 * was asked, answered and run. Everything is sent immediately.
 */
export function replayedApprovals(script: Script, tools: ToolSet) {
  const model = scriptedModel(script);
  const user: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] };

  return {
    model,
    /**
     * Sends the history, with the assistant's message as the client has it, and reads the response to its end.
     *
     * @param settings further settings of `streamText`
     */
    async send(message?: UIMessage, settings: Partial<Parameters<typeof streamText>[0]> = {}) {
      const errors: unknown[] = [];
      const result = streamText({
        stopWhen: isStepCount(5),
        ...settings,
        model,
        tools,
        messages: await convertToModelMessages(message ? [user, message] : [user]),
        experimental_toolApprovalSecret: 'a secret of at least thirty-two characters',
        onError: ({ error }) => {
          errors.push(error);
        },
      } as Parameters<typeof streamText>[0]);
      return { chunks: await collect(result.toUIMessageStream()), errors };
    },
  };
}
