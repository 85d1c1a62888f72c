import type { ChatHead } from '../log/store/index.ts';
import { questionOf } from '../log/turn/question.ts';
import type { Call } from '../log/turn/turn.ts';
import type { ApprovalId, EventOf, FlowEvent, Principal, Question, ToolCallId } from '../protocol/index.ts';
import type { QuestionMarks } from '../rights/question-rights.ts';
import { noRights, rightsTo } from '../rights/rights-to.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import type { StreamView } from './flow-stream.ts';

/** The properties of a question that are the same for all readers. */
export type MarkOf = (question: Question) => Promise<QuestionMarks>;

/**
 * The rights of one reader for the questions of its stream. Rules may be asynchronous but projections are
 * not, so each question is evaluated before its event is passed to the reader, and again when a person or a plugin has added to it.
 *
 * @param emitFrom questions asked before this event are neither shown nor evaluated
 * @source ADR 0022
 */
export function createStreamRights(
  { settings, markOf }: { readonly settings: FlowSettings; readonly markOf?: MarkOf },
  principal: Principal,
  chat: Pick<ChatHead, 'id' | 'ownerId'>,
  emitFrom: number,
) {
  const calls = new Map<ToolCallId, Call>();
  const known = new Map<ApprovalId, ReturnType<StreamView['rights']>>();

  async function judge(call: Call): Promise<void> {
    const question = questionOf(call, chat);
    if (!question) return;
    const rights = await rightsTo(settings, principal, question);
    known.set(question.id, { ...rights, ...(await markOf?.(question)) });
  }

  return {
    /** Call for each event before it is passed on. @returns a promise only if there is something to wait for */
    before(event: FlowEvent): Promise<void> | undefined {
      if (event.type === 'tool-requested') {
        calls.set(event.toolCallId, { requested: event, step: 0, position: 0 });
      }
      if (!changesRights(event)) return undefined;
      const known = calls.get(event.toolCallId);
      if (!known) return undefined;
      const call = callAfter(known, event);
      calls.set(event.toolCallId, call);
      return event.seq >= emitFrom ? judge(call) : undefined;
    },
    rights: ((question) => known.get(question.id) ?? noRights) satisfies StreamView['rights'],
  };
}

type Asking = EventOf<'approval-requested' | 'answer-recorded' | 'plugin-event'>;

function changesRights(event: FlowEvent): event is Asking {
  return ['approval-requested', 'answer-recorded', 'plugin-event'].includes(event.type);
}

function callAfter(call: Call, event: Asking): Call {
  switch (event.type) {
    case 'approval-requested':
      return { ...call, asked: event };
    case 'answer-recorded':
      return { ...call, recorded: [...(call.recorded ?? []), event] };
    case 'plugin-event':
      return { ...call, pluginEvents: [...(call.pluginEvents ?? []), event] };
  }
}
