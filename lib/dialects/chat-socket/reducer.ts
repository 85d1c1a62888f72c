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
  /** Set while this call waits for a person. */
  readonly approvalId?: string;
};

/** The part of a turn that has arrived over a socket. */
export type SocketTurn = {
  readonly text: string;
  readonly calls: ReadonlyMap<string, SocketToolCall>;
  /** The last error that was not a tool's. */
  readonly error?: string;
  /** Set by `complete`, which comes last. */
  readonly messageId?: string;
  readonly conversationId?: string;
};

/** Frames of servers before this dialect had ids lack them; calls are then matched by name. @source D7 */
type Unnamed<Frame> = Frame extends { tool_call_id: string }
  ? Omit<Frame, 'tool_call_id'> & { tool_call_id?: string }
  : Frame;

/** What a reducer takes: frames of this version, and of those before it. */
export type ReceivedFrame = Unnamed<ServerFrame>;

/** A turn before its first frame. */
export const emptySocketTurn: SocketTurn = { text: '', calls: new Map() };

/** The turn after one more frame. Frames about something else do not change it. @source D15 */
export function reduceSocketFrame(turn: SocketTurn, frame: ReceivedFrame): SocketTurn {
  switch (frame.type) {
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
      if (id === undefined) return { ...turn, error };
      return change(turn, id, { status: code === 'TOOL_CANCELLED' ? 'cancelled' : 'failed', error });
    }
    case 'complete':
      return { ...turn, messageId: frame.message_id, conversationId: frame.conversation_id };
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
