import { getToolName, isToolUIPart, type ModelMessage, type UIMessage } from 'ai';
import {
  CountersignError,
  type EventBody,
  type Person,
  parseToolCallId,
  type ToolCallId,
  toJson,
} from '../../protocol/index.ts';
import type { TurnEngine } from '../../run/engine.ts';
import { madeCallId } from '../../run/made-call-id.ts';
import { askedAnyway, gateAgain } from '../../run/step/gate-again.ts';
import { toolNamed } from '../../settings/tools/tool-details.ts';
import { type CallPart, type EndedPart, endPart, endWithoutRun } from './end-parts.ts';
import { forModel, type ImportedMessage, imported } from './import-messages.ts';

/**
 * The last message of a chat whose approvals are asked again: the kept part, and the turn that continues it.
 */
export type ReopenedMessage = {
  readonly message: ImportedMessage;
  /** Its last step, and the calls that replace the waiting ones. Absent if nothing needs to be asked. */
  readonly step: readonly EventBody[];
};

type Reopened = { readonly part: EndedPart; readonly request?: Request };
type Request = Extract<EventBody, { type: 'tool-requested' }>;

const askedAgain = 'Not run here: the chat was imported, and the call is asked again.';

/** True if the message waits for an answer that a person can still give here. */
export function isWaiting(message: UIMessage | undefined): message is UIMessage {
  return message?.role === 'assistant' && lastStep(message).some(isOpen);
}

/**
 * Converts the last message of a chat, which waits for approvals. Each waiting call becomes a new call, which
 * is asked about even if the gate would let it run. A call that the gate denies, or that no longer fits its
 * tool, ends instead.
 *
 * @param before the model's input before the message
 * @source ADR 0036
 */
export async function reopenMessage(
  engine: TurnEngine,
  message: UIMessage,
  before: readonly ModelMessage[],
  by: Person,
): Promise<ReopenedMessage> {
  const { settings } = engine;
  const last = lastStep(message);
  const earlier = message.parts.slice(0, -last.length).map((part) => endPart(settings, part));
  const seen = await forModel(settings, message, earlier);
  const prompt = [...before, ...seen];
  const known = new Set([...callIdsIn(prompt), ...last.flatMap(callIdOf)]);
  const newIdOf = ({ toolCallId }: CallPart) => {
    const id = madeCallId((used) => known.has(used), engine.chatId, message.id, toolCallId);
    known.add(id);
    return id;
  };
  const reopened = await Promise.all(
    last.map(
      async (part): Promise<Reopened> =>
        isOpen(part) ? reopen(engine, part, newIdOf(part), prompt) : { part: endPart(settings, part) },
    ),
  );
  const requests = reopened.flatMap(({ request }) => request ?? []);
  const parts = reopened.map(({ part }) => part);
  const messages = await forModel(settings, message, parts);
  const kept = imported(message, [...earlier, ...parts], by);
  if (requests.length === 0) {
    return { message: { ...kept, modelMessages: [...seen, ...messages] }, step: [] };
  }
  const step = { step: 0, messages, finishReason: 'tool-calls', usage: {} };
  return {
    message: { ...kept, modelMessages: seen },
    step: [{ type: 'step-finished', ...step }, ...requests],
  };
}

/** The parts after the last step mark. Only these can wait. */
function lastStep({ parts }: UIMessage): UIMessage['parts'] {
  const mark = parts.findLastIndex(({ type }) => type === 'step-start' || type === 'steering-message');
  return parts.slice(mark + 1);
}

/**
 * A provider accepts the answer to its own question only in the original conversation, so that question is
 * not asked again.
 */
function isOpen(part: UIMessage['parts'][number]): part is CallPart & { state: 'approval-requested' } {
  return (
    isToolUIPart(part) &&
    part.state === 'approval-requested' &&
    part.approval.isAutomatic !== true &&
    part.providerExecuted !== true
  );
}

/** The ids of the calls that the model has seen. */
function callIdsIn(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap(callIdOf)));
}

function callIdOf(part: object): readonly string[] {
  return 'toolCallId' in part && typeof part.toolCallId === 'string' ? [part.toolCallId] : [];
}

async function reopen(
  engine: TurnEngine,
  part: CallPart & { state: 'approval-requested' },
  id: ToolCallId,
  before: ModelMessage[],
): Promise<Reopened> {
  const { settings } = engine;
  const toolName = getToolName(part);
  const end = (why: string) => ({ part: endWithoutRun(settings, part, why) });
  if (!toolNamed(settings, toolName)) return end(`Not run: the tool ${toolName} is no longer available.`);
  const call = { toolName, input: inputOf(part) };
  const gated = await gateAgain(engine, call, id, before).catch((cause: unknown) => {
    const text = `The open approval of call ${part.toolCallId} (${toolName}) could not be asked again.`;
    throw new CountersignError('invalid-request', text, { toolCallId: part.toolCallId }, { cause });
  });
  if (gated.end) return end(reasonOf(gated.end));
  const request: Request = { ...askedAnyway(gated.request), replaces: parseToolCallId(part.toolCallId) };
  return { part: { ...endWithoutRun(settings, part, askedAgain), forModel: underId(part, id) }, request };
}

/** The arguments as the model wrote them: the SDK keeps these beside the parsed arguments if they differ. */
function inputOf({ input, approval }: CallPart & { state: 'approval-requested' }) {
  return toJson('inputSchemaInput' in approval ? approval.inputSchemaInput : input);
}

/** The model sees one call, under the id of the new call, with its result. */
function underId(part: CallPart, toolCallId: ToolCallId): CallPart {
  const { approval: _approval, ...rest } = part;
  return { ...rest, toolCallId, state: 'input-available' } as CallPart;
}

function reasonOf(end: EventBody): string {
  if (end.type === 'tool-failed') return end.error;
  if (end.type === 'tool-denied' && end.reason !== undefined) return `Not run: ${end.reason}`;
  return 'Not run: the approval rule denies this call.';
}
