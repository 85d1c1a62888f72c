import { questionOf } from '../log/question.ts';
import type { ChatHead } from '../log/store-port.ts';
import type { ApprovalId, EventOf, FlowEvent, Principal, Question, ToolCallId } from '../protocol/index.ts';
import { noRights, rightsTo } from '../rights/permissions.ts';
import type { QuestionMarks } from '../rights/question-rights.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import type { StreamView } from './flow-stream.ts';

/** Says of a question what holds for everybody: that it is outdated, or that its tool is paused. */
export type MarkOf = (question: Question) => Promise<QuestionMarks>;

/**
 * What one reader may do with the questions of its stream. Rules may be asynchronous and projections are not, so each
 * question is judged once, before its event is given to the reader.
 *
 * @param emitFrom questions that were asked before are not shown, and not judged
 * @source ADR 0022
 */
export function createStreamRights(
  { settings, markOf }: { readonly settings: FlowSettings; readonly markOf?: MarkOf },
  principal: Principal,
  chat: Pick<ChatHead, 'id' | 'ownerId'>,
  emitFrom: number,
) {
  const requested = new Map<ToolCallId, EventOf<'tool-requested'>>();
  const known = new Map<ApprovalId, ReturnType<StreamView['rights']>>();

  async function judge(asked: EventOf<'approval-requested'>): Promise<void> {
    const call = requested.get(asked.toolCallId);
    const question = call && questionOf({ requested: call, asked, step: 0 }, chat);
    if (!question) return;
    const rights = await rightsTo(settings, principal, question);
    known.set(question.id, { ...rights, ...(await markOf?.(question)) });
  }

  return {
    /** Call for each event before it is given. @returns a promise only where there is something to wait for */
    before(event: FlowEvent): Promise<void> | undefined {
      if (event.type === 'tool-requested') requested.set(event.toolCallId, event);
      return event.type === 'approval-requested' && event.seq >= emitFrom ? judge(event) : undefined;
    },
    rights: ((question) => known.get(question.id) ?? noRights) satisfies StreamView['rights'],
  };
}
