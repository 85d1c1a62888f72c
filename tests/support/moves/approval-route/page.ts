import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';

export function useAssistant(id: string, origin = '', messages: UIMessage[] = []) {
  const transport = new DefaultChatTransport({ api: `${origin}/api/chat` });
  return useChat({ id, messages, transport });
}

type Answer = { id: string; approvalId: string; approved: boolean };

/** Answers a request for approval in chat `id`, from a page or from an email. */
export async function decide(origin: string, answer: Answer): Promise<void> {
  const response = await fetch(`${origin}/api/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  });
  await response.text();
}
