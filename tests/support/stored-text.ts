import type { ApprovalFlow } from 'countersign';
import { parseChatId } from '../../lib/protocol/index.ts';
import { ada } from './flow-fixture.ts';

/** The text of the last stored message of a chat, whatever its parts. */
export async function storedText(flow: ApprovalFlow, chatId: string, principal = ada): Promise<string> {
  const { messages } = await flow.chats.read({ chatId: parseChatId(chatId), principal });
  const parts = messages.at(-1)?.parts ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
