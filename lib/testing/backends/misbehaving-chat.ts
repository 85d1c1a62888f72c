import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { parseChatRequest } from '../../server/requests/chat-request.ts';
import { readJson } from '../../server/requests/read-json.ts';
import { createRoute, type ServerSettings } from '../../server/route.ts';
import { uiMessageChunks } from '../../views/chunks/ui-chunks.ts';
import { sseResponse } from '../chunks/wire-builders.ts';
import { collect } from '../collect.ts';
import { type ChatMemory, chatMemory } from './chat-memory.ts';
import type { Honest, Misbehaviour } from './misbehaviour.ts';
import type { PaymentLedger } from './payment-ledger.ts';

/**
 * `POST /api/chat` of a flow, with the responses changed by a misbehaviour. A response is sent when it is complete.
 *
 * @param ledger where the flow's tool records payments; a misbehaviour may add some directly
 */
export function misbehavingChat(
  flow: ApprovalFlow,
  { respond }: Misbehaviour,
  ledger: PaymentLedger,
  settings: ServerSettings,
): Route {
  const memories = new Map<string, ChatMemory>();

  return createRoute(settings, async ({ principal, request: httpRequest }) => {
    const body = await readJson(httpRequest);
    const request = parseChatRequest(body);
    const memory = memories.get(request.chatId) ?? chatMemory();
    memories.set(request.chatId, memory);

    const honest: Honest = async (other = request) =>
      collect(uiMessageChunks(await flow.chats.respond({ ...other, principal, via: 'test' })));
    const { undo, ...known } = memory.receive(request);
    try {
      const chunks = await respond({ ...known, request, body, ledger }, honest);
      memory.send(chunks, known.isRepeated);
      return sseResponse(chunks);
    } catch (error) {
      undo();
      throw error;
    }
  });
}
