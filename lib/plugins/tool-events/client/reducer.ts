import { isRecord } from '../../../protocol/json.ts';
import type { ContentBlock, ToolEvent } from './schema.ts';

/** One tool invocation as a page shows it. `expanded` is set by the page only (an accordion). @source A18 */
export type ToolInvocation = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly status: 'executing' | 'completed' | 'failed';
  readonly summary?: string;
  readonly resultCount?: number;
  readonly output?: unknown;
  /** Where a long output is read, relative to the address of the dialect with a slash. */
  readonly outputRef?: string;
  readonly error?: string;
  /** Whether the person may try again. */
  readonly retryable?: boolean;
  /** Present when an automatic retry ran and failed as well. */
  readonly wasRetried?: true;
  readonly durationMs?: number;
  readonly expanded: boolean;
};

/** All invocations of a message, in the order they began. */
export type ToolInvocations = ReadonlyMap<string, ToolInvocation>;

/** No invocation yet. */
export const noToolInvocations: ToolInvocations = new Map();

const interrupted = 'Interrupted.';

/**
 * The invocations after one more frame: a new map when something changed, the same one otherwise. The end of the message
 * settles what is still executing.
 *
 * @source A18, A22
 */
export function reduceToolEvent(invocations: ToolInvocations, frame: ToolEvent): ToolInvocations {
  switch (frame.type) {
    case 'tool_call_start': {
      if (invocations.has(frame.toolCallId)) return invocations;
      const { toolCallId, toolName, input } = frame;
      return put(invocations, { toolCallId, toolName, input, status: 'executing', expanded: false });
    }
    case 'tool_call_end': {
      const { type: _type, toolCallId, ...facts } = frame;
      const known = invocations.get(toolCallId);
      if (!known) return invocations;
      // It may have been shown as interrupted meanwhile.
      const { error: _error, ...begun } = known;
      return put(invocations, { ...begun, ...facts, status: 'completed' });
    }
    case 'tool_call_error':
      return change(invocations, frame.toolCallId, {
        error: frame.error,
        retryable: frame.retryable,
        wasRetried: frame.wasRetried ? true : undefined,
        status: 'failed',
      });
    case 'message_end':
    case 'error':
      return settleAll(invocations);
    default:
      return invocations;
  }
}

/** The invocations with an output that was read at its reference. */
export function withToolOutput(
  invocations: ToolInvocations,
  toolCallId: string,
  output: unknown,
): ToolInvocations {
  return change(invocations, toolCallId, { output });
}

/** Opens or closes one invocation's details. */
export function toggleToolInvocation(invocations: ToolInvocations, toolCallId: string): ToolInvocations {
  const expanded = invocations.get(toolCallId)?.expanded ?? false;
  return change(invocations, toolCallId, { expanded: !expanded });
}

/**
 * The invocations of a stored message. One without a result was interrupted, unless its run is still going on.
 *
 * @param isRunning whether the run of this message is active. Default: false
 * @source A22
 */
export function toolInvocationsOf(blocks: readonly ContentBlock[], isRunning = false): ToolInvocations {
  const withoutResult = isRunning
    ? ({ status: 'executing' } as const)
    : ({ status: 'failed', error: interrupted } as const);
  const invocations = new Map<string, ToolInvocation>();
  for (const block of blocks) {
    if (block.type === 'tool_use') {
      const { id: toolCallId, name: toolName, input } = block;
      invocations.set(toolCallId, { toolCallId, toolName, input, ...withoutResult, expanded: false });
    } else if (block.type === 'tool_result') {
      const invocation = invocations.get(block.tool_use_id);
      if (!invocation) continue;
      const { error: _interrupted, ...called } = invocation;
      invocations.set(block.tool_use_id, { ...called, ...settled(block) });
    }
  }
  return invocations;
}

function settled(
  block: Extract<ContentBlock, { type: 'tool_result' }>,
): Partial<ToolInvocation> & Pick<ToolInvocation, 'status'> {
  const content = isRecord(block.content) ? block.content : {};
  if (block.is_error) {
    const error = String(content.error ?? 'The tool failed.');
    const wasRetried = content.wasRetried === true && { wasRetried: true as const };
    return { status: 'failed', error, retryable: content.retryable === true, ...wasRetried };
  }
  const { summary, resultCount, durationMs, output, outputRef } = content as Partial<ToolInvocation>;
  const result = {
    summary,
    resultCount,
    durationMs,
    output,
    outputRef,
  };
  return { status: 'completed', ...result };
}

/** A call whose end was lost on the way is not shown as running for ever. */
function settleAll(invocations: ToolInvocations): ToolInvocations {
  const open = [...invocations.values()].filter(({ status }) => status === 'executing');
  if (open.length === 0) return invocations;
  const settledNow = new Map(invocations);
  for (const invocation of open) {
    settledNow.set(invocation.toolCallId, { ...invocation, status: 'failed', error: interrupted });
  }
  return settledNow;
}

function put(invocations: ToolInvocations, invocation: ToolInvocation): ToolInvocations {
  return new Map(invocations).set(invocation.toolCallId, invocation);
}

function change(invocations: ToolInvocations, id: string, facts: Partial<ToolInvocation>): ToolInvocations {
  const invocation = invocations.get(id);
  return invocation ? put(invocations, { ...invocation, ...facts }) : invocations;
}
