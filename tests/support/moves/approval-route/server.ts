import { convertToModelMessages, isToolUIPart, streamText, type UIMessage } from 'ai';
import { model } from '../model.ts';
import { chats } from './chats.ts';
import { tools } from './tools.ts';

/** `POST /api/chat` and `POST /api/approve`. */
export async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  return pathname === '/api/approve' ? approve(await request.json()) : chat(await request.json());
}

async function chat({ id, messages }: { id: string; messages: UIMessage[] }): Promise<Response> {
  return respond(id, messages);
}

/** Writes the answer into the stored chat, and continues it. */
async function approve(answer: { id: string; approvalId: string; approved: boolean }): Promise<Response> {
  const messages = chats.get(answer.id) ?? [];
  for (const part of messages.at(-1)?.parts ?? []) {
    if (!isToolUIPart(part) || part.approval?.id !== answer.approvalId) continue;
    const approval = { id: answer.approvalId, approved: answer.approved };
    Object.assign(part, { state: 'approval-responded', approval });
  }
  return respond(answer.id, messages);
}

async function respond(id: string, messages: UIMessage[]): Promise<Response> {
  const result = streamText({ model, messages: await convertToModelMessages(messages, { tools }), tools });
  return result.toUIMessageStreamResponse({
    originalMessages: messages,
    onEnd: ({ messages: all }) => void chats.set(id, all),
  });
}
