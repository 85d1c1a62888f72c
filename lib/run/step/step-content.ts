import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { EventBody, Usage } from '../../protocol/index.ts';

type Part = TextStreamPart<ToolSet>;

export type StepContent = {
  readonly toolCalls: Extract<Part, { type: 'tool-call' }>[];
  readonly approvals: Extract<Part, { type: 'tool-approval-request' }>[];
  /** Automatic answers of the gate, by approval id. */
  readonly automatic: Map<string, { approved: boolean; reason?: string }>;
  /** Ends the SDK or the provider gave: invalid input, provider-executed results. By tool call id. */
  readonly ends: Map<string, Extract<Part, { type: 'tool-result' | 'tool-error' }>>;
  /** Ids of calls whose gate failed. */
  readonly failedGates: ReadonlySet<string>;
  messages: readonly ModelMessage[];
  finishReason: string;
  /** The model refused, and the text says so. */
  refused: boolean;
  usage: Usage;
  hasProse: boolean;
  /** Ids of the blocks of text and reasoning that have begun. */
  readonly blocks: Set<string>;
};

export function emptyContent(failedGates: ReadonlySet<string>): StepContent {
  return {
    toolCalls: [],
    approvals: [],
    automatic: new Map(),
    ends: new Map(),
    failedGates,
    messages: [],
    finishReason: 'other',
    refused: false,
    usage: {},
    hasProse: false,
    blocks: new Set(),
  };
}

/** Text or reasoning of the step. The first delta of a block says which calls were made before it. */
export function deltaOf(
  content: StepContent,
  type: 'text-delta' | 'reasoning-delta',
  textId: string,
  delta: string,
): Extract<EventBody, { type: 'text-delta' | 'reasoning-delta' }> {
  const afterCalls = content.blocks.has(textId) ? 0 : content.toolCalls.length;
  content.blocks.add(textId);
  return { type, textId, delta, afterCalls: afterCalls > 0 ? afterCalls : undefined };
}

const callParts = new Set<string>([
  'tool-call',
  'tool-approval-request',
  'tool-approval-response',
  'tool-result',
  'tool-error',
] satisfies Part['type'][]);

export function isCallPart({ type }: Part): boolean {
  return callParts.has(type);
}

export function takeCallPart(content: StepContent, part: Part): void {
  switch (part.type) {
    case 'tool-call':
      content.toolCalls.push(part);
      return;
    case 'tool-approval-request':
      content.approvals.push(part);
      return;
    case 'tool-approval-response':
      content.automatic.set(part.approvalId, { approved: part.approved, reason: part.reason });
      return;
    case 'tool-result':
    case 'tool-error':
      content.ends.set(part.toolCallId, part);
      return;
    default:
  }
}

/** How providers report a refusal, which the SDK maps to `content-filter`. Others report what they have filtered. */
const refusalReasons: ReadonlySet<string | undefined> = new Set([undefined, 'stop', 'completed', 'refusal']);

export function takeFinish(
  content: StepContent,
  { finishReason, rawFinishReason, usage }: Extract<Part, { type: 'finish-step' }>,
): void {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails;
  const { reasoningTokens } = outputTokenDetails;
  content.finishReason = finishReason;
  content.refused = finishReason === 'content-filter' && refusalReasons.has(rawFinishReason);
  content.usage = {
    inputTokens,
    outputTokens,
    cachedInputTokens: cacheReadTokens || undefined,
    cacheWriteTokens: cacheWriteTokens || undefined,
    reasoningTokens: reasoningTokens || undefined,
  };
}

export type ToolCall = StepContent['toolCalls'][number];

/** The end of a call that the SDK has already settled. */
export type StepEnd = NonNullable<ReturnType<StepContent['ends']['get']>>;
