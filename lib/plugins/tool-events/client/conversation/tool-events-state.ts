import { parseQuestion, type Question, type Repeat } from '../../../../client/question.ts';
import {
  type ContentBlock,
  noToolInvocations,
  reduceToolEvent,
  type StoredMessage,
  type ToolEvent,
  type ToolInvocations,
  toggleToolInvocation,
  toolInvocationsOf,
  withToolOutput,
} from '../index.ts';
import { withFrame } from '../state.ts';

/** A message, live or stored: the same content either way. */
export type ToolEventsMessage = {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
  readonly invocations: ToolInvocations;
};

/** The open question. */
export type AskedApproval = {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly repeatOf?: Repeat;
  /**
   * Everything that a card shows, once it was read from the approvals API: the frame contains only the call.
   */
  readonly question?: Question;
};

/** The page's state of a conversation. */
export type ToolEventsState = {
  readonly conversationId?: string;
  readonly messages: readonly ToolEventsMessage[];
  /** `asked.after` is the number of content blocks of the last message that came before the question. */
  readonly asked?: AskedApproval & { readonly after: number };
  readonly isRunning: boolean;
  /** Why the last action failed, in a sentence. */
  readonly failure?: string;
};

/** An event that changes a conversation. */
export type ToolEventsAction =
  | { type: 'sending' }
  | { type: 'accepted'; text: string }
  | { type: 'received'; frame: ToolEvent }
  | {
      type: 'read-back';
      conversationId: string;
      messages: readonly StoredMessage[];
      asked?: AskedApproval;
      isRunning: boolean;
      failure?: string;
    }
  | { type: 'question-read'; question: Question }
  | { type: 'answered'; approvalId: string }
  | { type: 'failed'; failure: string }
  | { type: 'toggled'; toolCallId: string }
  | { type: 'output-read'; toolCallId: string; output: unknown };

/** A conversation that has not begun. */
export const emptyToolEventsState: ToolEventsState = { messages: [], isRunning: false };

/** Applies one action. Pure. */
export function reduceToolEvents(state: ToolEventsState, action: ToolEventsAction): ToolEventsState {
  switch (action.type) {
    case 'sending':
      return { ...state, isRunning: true, failure: undefined };
    case 'accepted': {
      const id = `said-${state.messages.length}`;
      const content: ContentBlock[] = [{ type: 'text', text: action.text }];
      const said = { id, role: 'user', content, invocations: noToolInvocations } as const;
      return { ...state, messages: [...state.messages, said], asked: undefined };
    }
    case 'received':
      return receive(state, action.frame);
    case 'read-back': {
      const { conversationId, isRunning, asked, failure } = action;
      const last = action.messages.at(-1);
      const messages = action.messages.map((stored) =>
        readBack(stored, state.messages, (isRunning || asked !== undefined) && stored === last),
      );
      const after = messages.at(-1)?.content.length ?? 0;
      return { conversationId, messages, isRunning, failure, asked: asked && { ...asked, after } };
    }
    case 'question-read': {
      const { question } = action;
      return state.asked?.approvalId === question.id
        ? { ...state, asked: { ...state.asked, question } }
        : state;
    }
    case 'answered': {
      const { asked, ...rest } = state;
      return asked?.approvalId === action.approvalId ? { ...rest, isRunning: true } : state;
    }
    case 'failed':
      return { ...state, isRunning: false, failure: action.failure };
    case 'toggled':
      return changed(state, (invocations) => toggleToolInvocation(invocations, action.toolCallId));
    case 'output-read': {
      const { toolCallId, output } = action;
      return changed(state, (invocations) => withToolOutput(invocations, toolCallId, output));
    }
    default:
      return action satisfies never;
  }
}

function changed(state: ToolEventsState, change: (all: ToolInvocations) => ToolInvocations): ToolEventsState {
  const messages = state.messages.map((message) => {
    const invocations = change(message.invocations);
    return invocations === message.invocations ? message : { ...message, invocations };
  });
  return { ...state, messages };
}

function receive(state: ToolEventsState, frame: ToolEvent): ToolEventsState {
  if (frame.type === 'message_start') {
    const { messageId: id, conversationId } = frame;
    const begun = { id, role: 'assistant', content: [], invocations: noToolInvocations } as const;
    // A retry begins its message again.
    const earlier = state.messages.filter((message) => message.id !== id);
    return { ...state, conversationId, messages: [...earlier, begun], isRunning: true };
  }
  const last = state.messages.at(-1);
  if (last?.role !== 'assistant') return state;
  // The mapping that stores a message, so that a reload shows the same as the live stream.
  const content = withFrame(last.content, frame);
  const changed = { ...last, content, invocations: reduceToolEvent(last.invocations, frame) };
  const next = { ...state, messages: [...state.messages.slice(0, -1), changed] };
  switch (frame.type) {
    case 'text_delta':
      return { ...next, isRunning: true };
    case 'approval_request': {
      const { type: _type, question: sent, ...asked } = frame;
      const question = parseQuestion(sent);
      return { ...next, asked: { ...asked, question, after: content.length } };
    }
    // The question was answered or withdrawn: the call's state replaces it.
    case 'tool_call_start': {
      const asked = frame.toolCallId === state.asked?.toolCallId ? undefined : state.asked;
      return { ...next, asked, isRunning: true };
    }
    case 'message_end':
      return { ...next, asked: undefined, isRunning: false };
    case 'error':
      return { ...next, asked: undefined, isRunning: false, failure: frame.message };
    default:
      return next;
  }
}

/** Keeps invocations expanded, and outputs that were read, when a message is read again. */
function readBack(
  { id, role, content }: StoredMessage,
  known: readonly ToolEventsMessage[],
  isRunning: boolean,
): ToolEventsMessage {
  const before = known.find((message) => message.id === id)?.invocations ?? noToolInvocations;
  let invocations = toolInvocationsOf(content, isRunning);
  for (const { toolCallId, expanded, outputRef, output } of before.values()) {
    if (outputRef !== undefined && output !== undefined)
      invocations = withToolOutput(invocations, toolCallId, output);
    if (expanded) invocations = toggleToolInvocation(invocations, toolCallId);
  }
  return { id, role, content, invocations };
}
