import { type DynamicToolUIPart, getToolName, isToolUIPart, type ToolUIPart, type UIMessage } from 'ai';
import { type JsonValue, redact, strikeOut, toJson } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';

type Part = UIMessage['parts'][number];

/** A part of an imported message that is a tool call. */
export type CallPart = ToolUIPart | DynamicToolUIPart;

/**
 * An imported part as it is stored: the version for people, and the version for the model, if it sees the
 * part.
 */
export type EndedPart = {
  readonly shown: Part;
  readonly forModel: Part | undefined;
  /** For a call: whether it ran, or may have run. */
  readonly ran?: boolean;
};

const notWritten = 'Not run: the chat was imported before the call was complete.';
const unknown = 'The chat was imported without a result of this call. It may have run.';
const neverAnswered = 'Not run: the approval was not given before the chat continued.';

/**
 * A part of an imported message, with an end, so that it cannot run, be answered or be continued.
 *
 * @source ADR 0036
 */
export function endPart(settings: FlowSettings, part: Part): EndedPart {
  if (isToolUIPart(part)) return endCall(settings, part);
  const isOpen = (part.type === 'text' || part.type === 'reasoning') && part.state === 'streaming';
  const closed: Part = isOpen ? { ...part, state: 'done' } : part;
  return { shown: closed, forModel: closed };
}

function endCall(settings: FlowSettings, part: CallPart): EndedPart {
  switch (part.state) {
    case 'input-streaming':
      return { ...endWithoutRun(settings, part, notWritten), forModel: undefined };
    case 'input-available':
      return endUnknown(settings, part);
    case 'approval-requested':
      return endWithoutRun(settings, part, neverAnswered);
    case 'approval-responded':
      if (part.approval.approved) return endUnknown(settings, part);
      return denied(settings, part, part.approval.reason);
    case 'output-available':
      if (part.preliminary === true) return endUnknown(settings, part);
      return { shown: marked(settings, part), forModel: withoutApproval(part), ran: true };
    case 'output-error':
      return { shown: marked(settings, part), forModel: withoutApproval(part), ran: true };
    case 'output-denied':
      return denied(settings, part, part.approval.reason);
    default:
      return part satisfies never;
  }
}

/**
 * A call with an unanswered approval, whose question ends here.
 *
 * @param why for people and the model
 */
export function endWithoutRun(settings: FlowSettings, part: CallPart, why: string): EndedPart {
  return { ...failedWith(settings, part, why, 'not-run'), ran: false };
}

function endUnknown(settings: FlowSettings, part: CallPart): EndedPart {
  return { ...failedWith(settings, part, unknown, 'unknown'), ran: true };
}

/** Providers require a result for each call. A call that the provider was to run itself is omitted. */
function failedWith(
  settings: FlowSettings,
  part: CallPart,
  errorText: string,
  outcome?: 'unknown' | 'not-run',
): EndedPart {
  const { approval: _approval, output: _output, preliminary: _preliminary, ...rest } = partOf(part);
  const failed = { ...rest, state: 'output-error', errorText } as CallPart;
  return { shown: marked(settings, failed, outcome), forModel: part.providerExecuted ? undefined : failed };
}

function denied(settings: FlowSettings, part: CallPart, reason: string | undefined): EndedPart {
  const shown = marked(settings, { ...part, state: 'output-denied' } as CallPart);
  const why = reason === undefined ? 'This call was denied.' : `This call was denied: ${reason}`;
  return { shown, forModel: failedWith(settings, part, why).forModel, ran: false };
}

/**
 * An approval that was given elsewhere has no meaning here, and some providers would run the call because of
 * it.
 */
function withoutApproval(part: CallPart): CallPart {
  const { approval: _approval, ...rest } = partOf(part);
  return rest as CallPart;
}

/** The part for people: marked as imported, and without the tool's secrets. @source ADR 0011 */
function marked(settings: FlowSettings, part: CallPart, outcome?: 'unknown' | 'not-run'): CallPart {
  const { secrets } = detailsOf(settings, getToolName(part));
  const mark = {
    toolMetadata: { ...part.toolMetadata, countersign: { imported: true, outcome } },
  };
  if (!secrets) return { ...part, ...mark };
  const { rawInput, approval, ...rest } = partOf(part);
  const input = toJson(part.input);
  const struck = (text: unknown) => (typeof text === 'string' ? strikeOut(text, input, secrets.input) : text);
  const hidden: Record<string, unknown> = { ...rest, ...mark };
  if (part.input !== undefined) hidden.input = redact(input, secrets.input);
  if (part.output !== undefined) hidden.output = redact(part.output as JsonValue, secrets.output);
  if (part.errorText !== undefined) hidden.errorText = struck(part.errorText);
  if (approval) {
    const { inputSchemaInput: _raw, descriptor: _descriptor, signature: _signature, ...answer } = approval;
    hidden.approval = Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [name, struck(value)]),
    );
  }
  return hidden as CallPart;
}

/** The fields of a call in any state. */
function partOf(part: CallPart) {
  return part as CallPart & {
    readonly rawInput?: unknown;
    readonly preliminary?: boolean;
    readonly approval?: Record<string, unknown>;
  };
}
