import { convertToModelMessages, isStepCount, streamText, type ToolSet, type UIMessage } from 'ai';
import { collect, type Script, scriptedModel } from 'countersign/testing';

/**
 * Rejected: the SDK's own approvals, at their strongest. The history that a client sends says what was asked, answered
 * and run; each question is signed, so none can be made up. Everything is sent as soon as it is there.
 */
export function replayedApprovals(script: Script, tools: ToolSet) {
  const model = scriptedModel(script);
  const user: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] };

  return {
    model,
    /**
     * Sends the history, with the assistant's message as the client has it, and reads the response to its end.
     *
     * @param settings what else `streamText` is told
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
