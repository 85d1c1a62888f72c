import type { TextStreamPart, ToolSet } from 'ai';
import type { Journal } from '../../log/journal.ts';
import type { Clock, EventOf, RunId, ToolCallId } from '../../protocol/index.ts';
import { agentOf } from '../../settings/agents/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { detailsOf, executorOf, neverAsks, toolNamed } from '../../settings/tools/tool-details.ts';
import { needsOwnId } from './call-ids.ts';
import type { StepContent } from './step-content.ts';

type Part = TextStreamPart<ToolSet>;
type Start = Extract<Part, { type: 'tool-input-start' }>;
type Delta = EventOf<'tool-input-delta'>;

/** How long a model must have been working on a step with a call before the call is shown. Most steps end sooner. */
const shownAfterMs = 50;

/** A call that the model is writing. `waiting`: text that is not recorded yet; `undefined` once the call is shown. */
type WrittenCall = {
  readonly facts: Omit<Delta, 'delta' | keyof Place>;
  readonly providerExecuted: boolean;
  readonly showsInput: boolean;
  waiting: string | undefined;
};
type Place = Pick<Delta, 'seq' | 'at' | 'runId' | 'seal'>;

/**
 * Records arguments while the model writes them. Fails closed: for secrets only the name, for an ambiguous id nothing.
 *
 * @source ADR 0032, T18
 */
export function createWrittenCalls(parts: {
  readonly settings: FlowSettings;
  readonly journal: Pick<Journal, 'stage'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly runId: RunId;
  readonly abortSignal: AbortSignal;
  readonly isUsed: (toolCallId: string) => boolean;
}) {
  const { settings, journal, clock, runId, abortSignal, isUsed } = parts;
  /** By id; `undefined` for calls that are not shown, or no longer. */
  const calls = new Map<string, WrittenCall | undefined>();
  let cancelTimer: (() => void) | undefined;

  function showAll(): void {
    cancelTimer = undefined;
    if (abortSignal.aborted) return;
    for (const call of calls.values()) {
      if (call?.waiting === undefined) continue;
      journal.stage(runId, { ...call.facts, delta: call.waiting });
      call.waiting = undefined;
    }
  }

  function begin(start: Start): void {
    // The call gets another id at the end of the step, so what is written under this one belongs to no call.
    const isReplaced = calls.has(start.id) || needsOwnId(start.id, isUsed);
    calls.set(start.id, isReplaced ? undefined : writtenCall(settings, start));
    if (calls.get(start.id)) cancelTimer ??= clock.after(shownAfterMs, showAll);
  }

  function add(id: string, delta: string): Promise<void> | undefined {
    const call = calls.get(id);
    if (!call?.showsInput || delta === '') return undefined;
    if (call.waiting === undefined) return journal.stage(runId, { ...call.facts, delta });
    call.waiting += delta;
    return undefined;
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  return {
    /** The response was abandoned. Nothing more is recorded automatically. */
    stop: stopTimer,

    /** @returns the append, for callers that must not write faster than the store */
    take(part: Part): Promise<void> | undefined {
      if (part.type === 'tool-input-start') begin(part);
      return part.type === 'tool-input-delta' ? add(part.id, part.delta) : undefined;
    },

    /** Retracts text that did not become the shown call: it was incomplete, or repaired. */
    end({ toolCalls }: StepContent): void {
      for (const [id, call] of calls) {
        if (call?.waiting !== undefined) continue;
        const made = toolCalls.find(({ toolCallId }) => toolCallId === id);
        const isSame =
          made?.toolName === call?.facts.toolName &&
          made?.dynamic === call?.facts.dynamic &&
          (made?.providerExecuted ?? false) === call?.providerExecuted;
        if (call && !isSame) journal.stage(runId, { type: 'tool-input-dropped', callId: id as ToolCallId });
      }
    },
  };
}

function writtenCall(settings: FlowSettings, start: Start): WrittenCall | undefined {
  const { id, toolName, dynamic, providerExecuted = false, inputEncoding = 'json' } = start;
  const tool = toolNamed(settings, toolName);
  if (!tool) return undefined;
  const title = detailsOf(settings, toolName).title ?? start.title;
  // A subagent's call is a part only with its outcome.
  const isOurs = executorOf(tool, providerExecuted) === 'server' && !agentOf(tool);
  return {
    facts: {
      type: 'tool-input-delta',
      callId: id as ToolCallId,
      toolName,
      title,
      dynamic: dynamic || undefined,
      neverAsks: isOurs && neverAsks(settings, toolName) ? true : undefined,
    },
    providerExecuted,
    showsInput: inputEncoding === 'json' && !mayBeSecret(settings, toolName),
    waiting: '',
  };
}

/** A repair may turn a call into one of another tool, so with `repairToolCall` the secrets of any tool count. */
function mayBeSecret(settings: FlowSettings, toolName: string): boolean {
  const { repairToolCall, toolDetails = {} } = settings;
  const names = repairToolCall ? Object.keys(toolDetails) : [toolName];
  return names.some((name) => detailsOf(settings, name).secrets !== undefined);
}
