import { convertToModelMessages, isStepCount, streamText, type UIMessage } from 'ai';
import { model } from '../model.ts';
import { tools } from './tools.ts';

/** `POST /api/chat`, and the app's own storage. */
export async function handle(request: Request): Promise<Response> {
  const { id, messages }: { id: string; messages: UIMessage[] } = await request.json();
  const result = streamText({
    model,
    instructions: 'You pay invoices.',
    messages: await convertToModelMessages(messages, { tools }),
    tools,
    toolApproval: { pay: 'user-approval' },
    stopWhen: isStepCount(10),
  });
  return result.toUIMessageStreamResponse({
    originalMessages: messages,
    onEnd: ({ messages: all }) => void chats.set(id, all),
  });
}

export const chats = new Map<string, UIMessage[]>();
