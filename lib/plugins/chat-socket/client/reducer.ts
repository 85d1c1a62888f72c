import type { ServerFrame } from './schema.ts';

/** One call as a page shows it. @source D5-D7 */
export type SocketToolCall = {
  readonly id: string;
  readonly toolName: string;
  /** The arguments as JSON. */
  readonly input: string;
  readonly status: 'running' | 'asked' | 'completed' | 'failed' | 'cancelled';
  /** The result, or the part of it that has arrived. */
  readonly result?: string;
  /** The result was cut. Its length in bytes; HTTP has all of it. */
  readonly originalLength?: number;
  readonly error?: string;
  /** Why the call was cancelled. */
  readonly reason?: string;
  /** Set while this call waits for a person. */
  readonly approvalId?: string;
};

/** The part of a turn that has arrived over a socket. */
export type SocketTurn = {
  readonly text: string;
  readonly calls: ReadonlyMap<string, SocketToolCall>;
  /** The last error that was not a tool's. */
  readonly error?: string;
  /** A person cancelled the turn. */
  readonly isCancelled?: true;
  /** Set by the first frame; of earlier servers, by `complete`. */
  readonly messageId?: string;
  readonly conversationId?: string;
  /** Set by `complete`, which comes last. */
  readonly isComplete?: true;
};

/** The turns that have arrived over a socket, by their messages, the last one last. At most the latest 100. */
export type SocketTurns = ReadonlyMap<string, SocketTurn>;

/** Frames of servers before this dialect had ids lack them; calls are then matched by name. @source D7 */
type Unnamed<Frame> = Frame extends { tool_call_id: string }
  ? Omit<Frame, 'tool_call_id'> & { tool_call_id?: string }
  : Frame;

const maxTurns = 100;

/** What a reducer takes: frames of this version, and of those before it. */
export type ReceivedFrame = Unnamed<ServerFrame>;

/** A turn before its first frame. */
export const emptySocketTurn: SocketTurn = { text: '', calls: new Map() };

/** The turns after one more frame: it changes the turn that it names. @source D2 */
export function reduceSocketTurns(turns: SocketTurns, frame: ReceivedFrame): SocketTurns {
  const id = 'message_id' in frame ? frame.message_id : undefined;
  if (id === undefined) return turns;
  const turn = reduceSocketFrame(turns.get(id) ?? emptySocketTurn, frame);
  const next = new Map(turns).set(id, turn);
  const [oldest] = next.keys();
  if (next.size > maxTurns && oldest !== undefined) next.delete(oldest);
  return next;
}

/** The turn after one more frame. Frames about something else do not change it. @source D15 */
export function reduceSocketFrame(turn: SocketTurn, frame: ReceivedFrame): SocketTurn {
  switch (frame.type) {
    case 'started': {
      const ids = { messageId: frame.message_id, conversationId: frame.conversation_id };
      // A retried call continues a turn that was complete.
      const { isComplete: _complete, ...known } = frame.replay ? emptySocketTurn : turn;
      return { ...known, ...ids };
    }
    case 'reset':
      return { ...turn, text: frame.content };
    case 'token':
      return { ...turn, text: turn.text + frame.content };
    case 'tool_start': {
      const id = frame.tool_call_id ?? `${frame.tool_name}-${turn.calls.size}`;
      const { tool_name: toolName, tool_input: input } = frame;
      return put(turn, { id, toolName, input, status: 'running' });
    }
    case 'tool_approval_request': {
      const { tool_call_id: id, tool_name: toolName, tool_input: input, approval_id: approvalId } = frame;
      return id === undefined ? turn : put(turn, { id, toolName, input, status: 'asked', approvalId });
    }
    case 'tool_result_chunk':
      return change(turn, idOf(turn, frame), { result: frame.content });
    case 'tool_complete': {
      const { tool_result: result, original_length: originalLength } = frame;
      const cut = originalLength === undefined ? {} : { originalLength };
      // An outcome that was unknown at first takes the place of its error.
      return change(turn, idOf(turn, frame), { status: 'completed', result, error: undefined, ...cut });
    }
    case 'error': {
      const { tool_call_id: id, message: error, code } = frame;
      // A person wanted this: it is no error.
      if (code === 'TOOL_CANCELLED') {
        return id === undefined
          ? { ...turn, isCancelled: true }
          : change(turn, id, { status: 'cancelled', reason: error });
      }
      return id === undefined ? { ...turn, error } : change(turn, id, { status: 'failed', error });
    }
    case 'complete': {
      const { message_id: messageId, conversation_id: conversationId } = frame;
      return { ...turn, messageId, conversationId, isComplete: true };
    }
    default:
      return turn;
  }
}

/** The call that a frame is about: by id, or, without one, the oldest running call of that name. */
function idOf(turn: SocketTurn, frame: { tool_call_id?: string; tool_name: string }): string | undefined {
  if (frame.tool_call_id !== undefined) return frame.tool_call_id;
  const running = [...turn.calls.values()].filter(({ status }) => status === 'running');
  return running.find(({ toolName }) => toolName === frame.tool_name)?.id;
}

function put(turn: SocketTurn, call: SocketToolCall): SocketTurn {
  return { ...turn, calls: new Map(turn.calls).set(call.id, call) };
}

function change(turn: SocketTurn, id: string | undefined, facts: Partial<SocketToolCall>): SocketTurn {
  const call = id === undefined ? undefined : turn.calls.get(id);
  if (!call) return turn;
  const { approvalId: _answered, ...known } = call;
  return put(turn, { ...known, ...facts });
}
