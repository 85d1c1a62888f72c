import type { ModelMessage } from 'ai';
import { isUnknown } from '../log/turn/call-end.ts';
import { applyToTurn, copyTurn } from '../log/turn/fold-turn.ts';
import { calls, emptyTurn, type Turn } from '../log/turn/turn.ts';
import type { EventOf, FlowEvent, ModelOutput, ToolCallId, UserPart } from '../protocol/index.ts';
import { type ApprovedCall, approvalNote, withApproval } from './approved-output.ts';
import { stepMessages, turnMessages, userMessage } from './model-messages.ts';

/** The chat as model messages. Of finished turns only the messages are kept. */
export function createChatMessages() {
  const finished: ModelMessage[] = [];
  /** Where the steps of `finished` end: the `seq` of each one's event, and how many messages there are then. */
  const stepEnds: { readonly seq: number; readonly place: number }[] = [];
  let open: Turn | undefined;
  /** Calls whose outcome was reported by the process that ran them. Nothing overrides that. */
  const reported = new Set<ToolCallId>();
  /** For finished turns: a person's note on an approval whose call has an outcome that may still become known. */
  const approvals = new Map<ToolCallId, ApprovedCall>();

  return {
    get finishedCount() {
      return finished.length;
    },

    addUser(parts: readonly UserPart[]): void {
      finished.push(userMessage(parts));
    },

    addImported(messages: readonly ModelMessage[]): void {
      finished.push(...messages);
    },

    applyToOpenTurn(event: FlowEvent): void {
      open ??= emptyTurn();
      applyToTurn(open, event);
    },

    closeTurn(): void {
      for (const call of open ? calls(open) : []) {
        const mayChange = call.end && (call.resolved || isUnknown(call.end));
        if (mayChange && call.answered && approvalNote(call) !== undefined) {
          const { answered, recorded, requested } = call;
          approvals.set(requested.toolCallId, { answered, requested, recorded });
        }
      }
      for (const { seq, messages } of open ? stepMessages(open) : []) {
        finished.push(...messages);
        stepEnds.push({ seq, place: finished.length });
      }
      open = undefined;
    },

    /** Removes messages from `place` on. @param keptThrough the `seq` of the last step that stays */
    cut(place: number, keptThrough: number | undefined): void {
      const kept = stepEnds.findLast(({ seq }) => seq === keptThrough);
      finished.length = Math.max(place, kept?.place ?? 0);
      while ((stepEnds.at(-1)?.place ?? 0) > finished.length) stepEnds.pop();
    },

    /** Applies an outcome that became known later. The call may be of any turn. */
    resolve(event: EventOf<'outcome-resolved'>): void {
      const { toolCallId, source, modelOutput } = event;
      if (reported.has(toolCallId)) return;
      if (source === 'late') reported.add(toolCallId);
      const call = open?.calls.get(toolCallId);
      if (open && call) applyToTurn(open, event);
      // The messages of a kept call precede those of the turn that keeps it.
      if (!call || call.kept) {
        const approved = approvals.get(toolCallId);
        replaceResult(finished, toolCallId, approved ? withApproval(approved, modelOutput) : modelOutput);
      }
    },

    /**
     * All messages, oldest first.
     *
     * @param news events of the open turn that are included and not kept
     * @param before the step of the open turn before which the list ends
     */
    with(news: readonly FlowEvent[], before?: number): ModelMessage[] {
      const turn = open ?? emptyTurn();
      const draft = news.length > 0 ? copyTurn(turn) : turn;
      for (const event of news) applyToTurn(draft, event);
      return [...finished, ...turnMessages(draft, before)];
    },
  };
}

/** Earlier prompts keep their messages, so changed messages are copied. */
function replaceResult(messages: ModelMessage[], toolCallId: ToolCallId, output: ModelOutput): void {
  const holds = (message: ModelMessage) =>
    message.role === 'tool' &&
    message.content.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId);
  const index = messages.findLastIndex(holds);
  const message = messages[index];
  if (message?.role !== 'tool') return;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && part.toolCallId === toolCallId ? { ...part, output } : part,
  );
  messages[index] = { ...message, content };
}
