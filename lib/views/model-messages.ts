import type { ModelMessage, ToolContent, UserContent } from 'ai';
import type { CallEnd } from '../log/turn/call-end.ts';
import { isUnknown } from '../log/turn/call-end.ts';
import { type Call, currentCall, ownCalls, ownName, type Turn } from '../log/turn/turn.ts';
import type { ModelOutput, ToolCallId, UserPart } from '../protocol/index.ts';
import { withApproval } from './approved-output.ts';

export function userMessage(parts: readonly UserPart[]): ModelMessage {
  const content: UserContent = parts.flatMap((part): Exclude<UserContent, string> => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'file') return [];
    return [{ type: 'file', data: part.url, mediaType: part.mediaType, filename: part.filename }];
  });
  return { role: 'user', content };
}

/** The messages of each finished step before one. Those that were kept at a cut come first. */
export function stepMessages(
  turn: Turn,
  before = Number.POSITIVE_INFINITY,
): { readonly seq: number; readonly messages: ModelMessage[] }[] {
  const calls = ownCalls(turn);
  return turn.steps.slice(turn.keptSteps).flatMap(({ step, finished }) => {
    if (!finished || step >= before) return [];
    const own = calls.filter((call) => call.step === step);
    const content = own.filter((call) => !call.replacedBy).flatMap(toolContent);
    const results = content.length > 0 ? [{ role: 'tool' as const, content }] : [];
    const messages = own.some((call) => call.replacedBy)
      ? finished.messages.map((message) => withCurrentCalls(message, turn))
      : finished.messages;
    return [{ seq: finished.seq, messages: [...messages, ...results] }];
  });
}

export function turnMessages(turn: Turn, before?: number): ModelMessage[] {
  return stepMessages(turn, before).flatMap(({ messages }) => messages);
}

/** The model sees a replaced call and its replacements as one call, under the id of the last. @source ADR 0020 */
function withCurrentCalls(message: ModelMessage, turn: Turn): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  const content = message.content.map((part) => {
    const call = part.type === 'tool-call' ? turn.calls.get(part.toolCallId as ToolCallId) : undefined;
    return call && part.type === 'tool-call'
      ? { ...part, toolCallId: currentCall(turn, call).requested.toolCallId }
      : part;
  });
  return { ...message, content };
}

/** A call's result in the prompt: in the provider's own form, or from the recorded end. @source T14 */
export function toolContent(call: Call): ToolContent {
  const { requested, answered, withdrawn, end } = call;
  const { gate, executor, toolCallId } = requested;
  if (executor === 'provider') {
    if (gate.type !== 'ask' || gate.providerApprovalId === undefined || !(answered || withdrawn || end))
      return [];
    return [
      {
        type: 'tool-approval-response',
        approvalId: gate.providerApprovalId,
        approved: answered?.approved === true && mayStillRun(call),
        reason: answered?.reason ?? withdrawn?.reason,
        providerExecuted: true,
      },
    ];
  }
  if (!end) return [];
  return [
    { type: 'tool-result', toolCallId, toolName: ownName(requested), output: outputForModel(call, end) },
  ];
}

/** A provider runs what it finds approved, so the approval of a call without a known outcome is withdrawn. */
function mayStillRun({ end, resolved }: Call): boolean {
  // Even if the outcome became known later: this call was sent once.
  if (resolved) return false;
  return end === undefined || !(end.type === 'tool-cancelled' || isUnknown(end));
}

/** A call's end with the person's note, unless a provider would show that as the result. @source T8, ADR 0002.11 */
function outputForModel(call: Call, { modelOutput }: CallEnd): ModelOutput {
  if (modelOutput.type !== 'execution-denied') return withApproval(call, modelOutput);
  if (modelOutput.reason === undefined || call.withdrawn) return modelOutput;
  return { ...modelOutput, reason: `This call was denied: ${modelOutput.reason}` };
}
