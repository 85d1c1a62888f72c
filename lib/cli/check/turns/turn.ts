import type { UIMessageChunk } from 'ai';
import { ChatClient, type OpenQuestion, type ShownCall } from './chat-client.ts';
import { describeEnd, type Exchange } from './exchange.ts';
import type { Recorder } from './recorder.ts';

/** More responses than this are a loop. */
const maxResponses = 12;

/** One turn from a client's view: its requests, its answers, and the resulting chat. */
export type Turn = {
  readonly prompt: string;
  /** The name in reports, such as `"Pay Alice 30", all approved`. */
  readonly name: string;
  readonly chat: ChatClient;
  readonly exchanges: readonly Exchange[];
  /** The answered questions in the order they were asked; several per response if it asks several. */
  readonly answered: readonly (OpenQuestion & { readonly approved: boolean; readonly asking: number })[];
  /** The calls that the check executed as the client. */
  readonly executed: readonly ShownCall[];
  /** Whether its last response was complete and asked nothing. */
  readonly ended: boolean;
};

/** The client tools of the check, and their outputs. */
export type ClientTools = ReadonlyMap<string, unknown>;

/** How to answer a turn, by the number of the question from 0. */
export type AnswerPattern = { readonly name: string; readonly approves: (index: number) => boolean };

/** Approves everything. */
export const approveAll: AnswerPattern = { name: 'all approved', approves: () => true };

/** Approves the first question, denies the second, and so on alternately. */
export const approveThenDeny: AnswerPattern = {
  name: 'approved, denied',
  approves: (index) => index % 2 === 0,
};

/** Denies the first question, approves the second, and so on alternately. */
export const denyThenApprove: AnswerPattern = {
  name: 'denied, approved',
  approves: (index) => index % 2 === 1,
};

/** Denies everything. */
export const denyAll: AnswerPattern = { name: 'all denied', approves: () => false };

/**
 * Sends a prompt in a new chat, and answers until no question is open. All questions of a response are answered before
 * the next request, and approved calls of client tools are executed, as `useChat` does.
 *
 * @throws BudgetSpent
 */
export async function playTurn(
  recorder: Recorder,
  prompt: string,
  pattern: AnswerPattern,
  clientTools: ClientTools = new Map(),
): Promise<Turn> {
  const chat = new ChatClient(recorder.transport);
  const first = recorder.exchanges.length;
  await chat.sendMessage({ text: prompt });
  const opening = recorder.exchanges.slice(first);
  const rest = await answerOpenQuestions(recorder, chat, pattern, clientTools);
  return {
    prompt,
    name: `"${prompt}", ${pattern.name}`,
    chat,
    exchanges: [...opening, ...rest.exchanges],
    answered: rest.answered,
    executed: rest.executed,
    ended: rest.ended,
  };
}

/** Continues a chat until it has no open question. @throws BudgetSpent */
export async function answerOpenQuestions(
  recorder: Recorder,
  chat: ChatClient,
  pattern: AnswerPattern,
  clientTools: ClientTools = new Map(),
): Promise<Pick<Turn, 'exchanges' | 'answered' | 'executed' | 'ended'>> {
  const first = recorder.exchanges.length;
  const answered: Turn['answered'][number][] = [];
  const executed: ShownCall[] = [];
  const seen = new Set<string>();
  for (let asking = 0; asking < maxResponses; asking += 1) {
    const open = chat.openQuestions().filter(({ approvalId }) => !seen.has(approvalId));
    const toExecute: ShownCall[] = chat.handedOver().filter(({ toolName }) => clientTools.has(toolName));
    if (chat.status === 'error' || open.length + toExecute.length === 0) break;
    for (const question of open) {
      seen.add(question.approvalId);
      const approved = pattern.approves(answered.length);
      await chat.addToolApprovalResponse({ id: question.approvalId, approved });
      answered.push({ ...question, approved, asking });
      if (approved && clientTools.has(question.toolName)) toExecute.push(question);
    }
    for (const { toolName, toolCallId } of toExecute) {
      await chat.addToolOutput({ tool: toolName, toolCallId, output: clientTools.get(toolName) });
    }
    executed.push(...toExecute);
    await chat.sendMessage();
  }
  return {
    exchanges: recorder.exchanges.slice(first),
    answered,
    executed,
    ended: chat.status !== 'error' && chat.openQuestions().length === 0,
  };
}

/** The chunks of each complete response. Stops at the first incomplete one. */
export function responsesOf({ exchanges }: Pick<Turn, 'exchanges'>): UIMessageChunk[][] {
  return exchanges.filter(({ end }) => end.type === 'complete').map(({ chunks }) => [...chunks]);
}

/** Describes the first exchange of a turn that did not end properly, without a full stop. */
export function breakOf(turn: Pick<Turn, 'exchanges'>): string | undefined {
  const broken = turn.exchanges.find(({ end }) => end.type !== 'complete');
  return broken && describeEnd(broken.end);
}
