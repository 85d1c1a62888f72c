import type { UIMessageChunk } from 'ai';

/** A displayed call: its id, tool and input. `providerExecuted` marks each of its chunks. */
export type ShownCall = { id: string; tool: string; input?: unknown; providerExecuted?: true };

/** The answer that a response continues. */
export type ContinuedAnswer = { approvalId: string; approved: boolean; reason?: string };

type ResponseSettings = {
  /** Default `message-1`. The same for every response of a turn. */
  messageId?: string;
  /** The answer that this response continues. Its approval response comes first. */
  continues?: ContinuedAnswer;
};

/** The frame of a response: `start`, one step around the parts, `finish`. */
export function response(settings: ResponseSettings, parts: readonly UIMessageChunk[]): UIMessageChunk[] {
  const { messageId = 'message-1', continues } = settings;
  return [
    { type: 'start', messageId },
    { type: 'start-step' },
    ...(continues ? [{ type: 'tool-approval-response' as const, ...continues }] : []),
    ...parts,
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ];
}

/** A response with a question about one call. The default approval id is `approval-` followed by the call's id. */
export function questionResponse(
  call: ShownCall,
  settings: ResponseSettings & { approvalId?: string } = {},
): UIMessageChunk[] {
  return response(settings, [...shownCall(call), question(call.id, settings.approvalId)]);
}

/** A response that hands one call to the client. */
export function handOverResponse(call: ShownCall, settings: ResponseSettings = {}): UIMessageChunk[] {
  return response(settings, shownCall(call));
}

/** A response after the last answer: text blocks first, then outcomes (see {@link output} and related builders). */
export function finalResponse(
  settings: ResponseSettings & { texts?: readonly string[]; outcomes?: readonly UIMessageChunk[] },
): UIMessageChunk[] {
  const texts = (settings.texts ?? []).flatMap((content, index) => text(content, `text-${index}`));
  return response(settings, [...texts, ...(settings.outcomes ?? [])]);
}

/** One block of text. */
export function text(content: string, id = 'text-0'): UIMessageChunk[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: content },
    { type: 'text-end', id },
  ];
}

/** One block of reasoning. */
export function reasoning(content: string, id = 'reasoning-0'): UIMessageChunk[] {
  return [
    { type: 'reasoning-start', id },
    { type: 'reasoning-delta', id, delta: content },
    { type: 'reasoning-end', id },
  ];
}

/** The first display of a call. */
export function shownCall({ id, tool, input = {}, providerExecuted }: ShownCall): UIMessageChunk[] {
  const who = providerExecuted ? { providerExecuted } : {};
  return [
    { type: 'tool-input-start', toolCallId: id, toolName: tool, ...who },
    { type: 'tool-input-available', toolCallId: id, toolName: tool, input, ...who },
  ];
}

/** A question about the preceding call. */
export function question(toolCallId: string, approvalId = `approval-${toolCallId}`): UIMessageChunk {
  return { type: 'tool-approval-request', approvalId, toolCallId };
}

/** An automatic question and its answer, between a call and its outcome. */
export function automaticApproval(toolCallId: string, approved = true): UIMessageChunk[] {
  const approvalId = `automatic-${toolCallId}`;
  return [
    { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
    { type: 'tool-approval-response', approvalId, approved },
  ];
}

/** A call's output. */
export function output(toolCallId: string, value: unknown = { ok: true }): UIMessageChunk {
  return { type: 'tool-output-available', toolCallId, output: value };
}

/** A call's error. */
export function failure(toolCallId: string, errorText = 'failed'): UIMessageChunk {
  return { type: 'tool-output-error', toolCallId, errorText };
}

/** A call's denial. */
export function denial(toolCallId: string): UIMessageChunk {
  return { type: 'tool-output-denied', toolCallId };
}

/** A transient report of a call's state change. */
export function lifecycle(
  toolCallId: string,
  phase: string,
  more: Record<string, unknown> = {},
): UIMessageChunk {
  const data = {
    toolCallId,
    toolName: 'tool',
    kind: 'function',
    phase,
    at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
  return { type: 'data-tool-lifecycle', transient: true, data };
}

/** A transient piece of the draft. */
export function draft(delta: string, textId = 'text-0'): UIMessageChunk {
  return { type: 'data-draft', transient: true, data: { textId, delta } };
}
