import type {
  ApprovalId,
  EventOf,
  JsonObject,
  JsonValue,
  MessageId,
  Person,
  Principal,
  RecordedPreview,
  RecordedPrincipal,
  Release,
  RunId,
  RunOptions,
  ToolCallId,
} from '../../protocol/index.ts';
import type { CallEnd } from './call-end.ts';

/** One tool call of the open turn: the events that made it what it is. */
export type Call = {
  readonly requested: EventOf<'tool-requested'>;
  /** Counts within the turn, or within the subagent that made the call. */
  readonly step: number;
  /** Its place among all that the turn has made: the `seq` of its request, or that of the call that it replaces. */
  readonly position: number;
  asked?: EventOf<'approval-requested'>;
  answered?: EventOf<'approval-answered'>;
  withdrawn?: EventOf<'approval-withdrawn'>;
  /** Answers of people that have left its question open, in their order. */
  recorded?: readonly EventOf<'answer-recorded'>[];
  /** What plugins have recorded about it, in order. */
  pluginEvents?: readonly EventOf<'plugin-event'>[];
  /** A standing approval in the place of a question. */
  granted?: EventOf<'approval-granted'>;
  /** The end of the run that left this call to a person or a client. */
  suspended?: EventOf<'run-suspended'>;
  started?: EventOf<'tool-started'>;
  retried?: EventOf<'tool-retrying'>;
  end?: CallEnd;
  /** The data parts that it wrote. */
  data?: readonly EventOf<'data-written'>[];
  /** Of a subagent's call: the user message and the finished steps of the subagent. */
  prompt?: string;
  agentSteps?: readonly Step[];
  /** The call that replaces this one. The model sees the replacement's result for this call. */
  replacedBy?: ToolCallId;
  /** The effect as it was last determined after the question was asked, and when. */
  previewed?: { readonly preview: RecordedPreview; readonly at: number };
  /** The outcome that became known after it was recorded as unknown. */
  resolved?: EventOf<'outcome-resolved'>;
  /**
   * Of an earlier turn that was cut away. `shown`: it ran, so this turn's message shows it. `context`: only the model
   * still sees it.
   */
  readonly kept?: 'shown' | 'context';
};

/** One model step of the open turn. `partial` is what it produced before it was cut off. */
export type Step = {
  readonly step: number;
  finished?: EventOf<'step-finished'>;
  partial: { textId: string; text: string }[];
};

/**
 * The open turn, folded from its events: everything that the engine's decisions are based on. A turn begins
 * with a user message (or a cut) and may span many runs.
 */
export type Turn = {
  messageId?: MessageId;
  /** Who asked for the turn: sent its message, or regenerated it. Its questions are asked in this name. */
  by?: Person;
  /** Everything that was known about the asker then. */
  asker?: RecordedPrincipal;
  /** Who caused its latest run to start: the asker, or the person who answered. */
  startedBy?: Person;
  release: Release;
  options?: RunOptions;
  /** Metadata of the turn's message, as of its start. */
  metadata?: JsonObject;
  /** What plugins keep with it, by name. */
  plugins?: Readonly<Record<string, JsonValue>>;
  /** The plugins with a gate that were installed where the turn began. */
  gates?: readonly string[];
  /** What `prepareCall` gets, as it was given. */
  callOptions?: JsonValue;
  runId?: RunId;
  /** `active` between `run-started` and the run's end. */
  phase: 'new' | 'active' | 'suspended' | 'ended';
  /** It was stopped, or a new message took its place. */
  isCancelled?: true;
  /** The call that a suspended turn waits for: asked about, or handed to the client. */
  waitsFor?: Call;
  readonly steps: Step[];
  /** How many of the steps were kept at a cut. This turn's own steps come after them. */
  keptSteps: number;
  /** In call order. The whole turn has those of its subagents, too. */
  readonly calls: Map<ToolCallId, Call>;
  /** The subagent's call, if this is the log of one. */
  readonly agent?: ToolCallId;
};

export function emptyTurn(): Turn {
  return { release: 'final', phase: 'new', steps: [], keptSteps: 0, calls: new Map() };
}

/** The person who asked for the turn, as recorded then, whoever answered or took over. @source ADR 0015 */
export function principalOf({ asker, by }: Pick<Turn, 'asker' | 'by'>): Principal {
  const principal = asker ?? by;
  if (principal) return principal;
  throw new Error('No run of this turn has started, so nobody has asked for it.');
}

/**
 * The asker as known now: whole if the asker makes the request, otherwise without a role, which may be old.
 *
 * @source ADR 0015
 */
export function currentAsker({ by }: Pick<Turn, 'by'>, acting: Principal): Principal {
  return by === undefined || by.id === acting.id ? acting : by;
}

/** The effect that a call would have, as it was last determined for its question, and when. */
export function previewOf({ asked, previewed }: Call): Call['previewed'] {
  return previewed ?? (asked?.preview && { preview: asked.preview, at: asked.at });
}

/** The call that a question of this turn's message was about. Those of kept calls belong to an earlier message. */
export function callOfQuestion(turn: Turn, approvalId: ApprovalId): Call | undefined {
  return calls(turn).find((call) => !call.kept && call.asked?.approvalId === approvalId);
}

/** The current version of a call: itself, or the last of those that replaced it. */
export function currentCall(turn: Turn, call: Call): Call {
  const next = call.replacedBy && turn.calls.get(call.replacedBy);
  return next ? currentCall(turn, next) : call;
}

/**
 * True if the call began as an open approval of an imported chat: it replaces, directly or indirectly, a call
 * that the turn does not contain. Only an answer given here clears it: no rule of the gate, and no standing
 * approval.
 *
 * @source ADR 0036
 */
export function isImported(turn: Turn, { requested: { replaces } }: Call): boolean {
  if (replaces === undefined) return false;
  const replaced = turn.calls.get(replaces);
  return !replaced || isImported(turn, replaced);
}

export function calls(turn: Turn): Call[] {
  return [...turn.calls.values()];
}

/** The calls that this turn's own model made, in order: none of its subagents. */
export function ownCalls(turn: Turn): Call[] {
  return calls(turn).filter(({ requested }) => requested.parent === turn.agent);
}

/** The log of a subagent, as a turn of its own: the part of the turn's events that names its call. @source ADR 0035 */
export function agentTurn(turn: Turn, { requested: { toolCallId }, agentSteps = [] }: Call): Turn {
  const { release, runId, phase, options } = turn;
  const own = calls(turn).filter(({ requested }) => requested.parent === toolCallId);
  return {
    release,
    runId,
    phase,
    options: options?.oneAtATime ? { oneAtATime: true } : undefined,
    steps: [...agentSteps],
    keptSteps: 0,
    calls: new Map(own.map((call) => [call.requested.toolCallId, call])),
    agent: toolCallId,
  };
}

/** The call of the turn's own model under which a call was made; the call itself if no subagent made it. */
export function rootCall(turn: Turn, call: Call): Call {
  const { parent } = call.requested;
  const outer = parent === undefined ? undefined : turn.calls.get(parent);
  return outer ? rootCall(turn, outer) : call;
}

/** A tool's name as known to the model that called it: without the path of subagents. */
export function ownName({ toolName, parent }: Pick<Call['requested'], 'toolName' | 'parent'>): string {
  return parent === undefined ? toolName : toolName.slice(toolName.lastIndexOf('/') + 1);
}

/** True if the call may be executed: it has no gate, or was approved, now or by a standing approval. */
export function isCleared({ requested, answered, granted }: Call): boolean {
  if (requested.invalid) return false;
  const { gate } = requested;
  if (gate.type === 'automatic') return gate.approved;
  return gate.type === 'none' || answered?.approved === true || granted !== undefined;
}
