import type { Call } from '../../../log/turn/turn.ts';
import { type EventBody, isSameJson, type JsonValue } from '../../../protocol/index.ts';
import { detailsOf } from '../../../settings/tools/tool-details.ts';
import { isOutdated } from '../../question/outdated.ts';
import { failed, shownInvalid } from '../../step/call-end.ts';
import type { ReplacementReason } from '../replace-call.ts';
import { parseInput, type Tools } from './parse-input.ts';
import type { ParsedInput } from './schemas.ts';

/** Whether a cleared call may start as it was approved. */
export type CallCheck =
  /** `parsed` is what its tool gets. */
  | { readonly type: 'starts'; readonly parsed: ParsedInput }
  /** Its arguments no longer fit the tool's schema. */
  | { readonly type: 'does-not-fit'; readonly end: EventBody }
  /** The approval does not cover the call as it would run now. It goes through the gate again. */
  | { readonly type: 'ask-again'; readonly why: ReplacementReason };

/** What a person edited is what runs. */
export function inputOf({ requested, answered, started }: Call): JsonValue {
  return started?.input ?? answered?.input ?? requested.input;
}

/** Checks a call right before its start is made durable. @param now epoch milliseconds @source ADR 0020 */
export async function checkCall(tools: Tools, call: Call, now: number): Promise<CallCheck> {
  const { requested } = call;
  const parsing = await parseInput(tools, requested, inputOf(call));
  if (!parsing.fits) return { type: 'does-not-fit', end: unfit(tools, call, parsing.error) };
  if (!runsAsApproved(call, parsing)) return { type: 'ask-again', why: 'input-changed' };
  if (await isOutdated(tools, call)) return { type: 'ask-again', why: 'tool-changed' };
  return isStillApproved(tools, call, now)
    ? { type: 'starts', parsed: parsing }
    : { type: 'ask-again', why: 'approval-lapsed' };
}

/** True if the tool would get the approved arguments, compared as JSON. Also checks calls that need no approval. */
export function runsAsApproved(call: Call, { json }: ParsedInput): boolean {
  const approved = approvedJson(call);
  return approved === undefined || isSameJson(approved, json);
}

function approvedJson({ requested, asked, answered }: Call): JsonValue | undefined {
  if (requested.gate.type === 'none') return undefined;
  if (answered?.input !== undefined) return answered.runsAs ?? answered.input;
  return (asked ?? requested).runsAs ?? requested.input;
}

/** Parses the arguments of a started call again. @throws Error if they differ from those of the first attempt */
export async function parsedAsStarted(tools: Tools, call: Call): Promise<ParsedInput> {
  const { requested, started } = call;
  const input = inputOf(call);
  const parsing = await parseInput(tools, requested, input);
  const shown = started?.runsAs ?? input;
  if (parsing.fits && isSameJson(parsing.json, shown)) return parsing;
  throw new Error(`The schema of ${requested.toolName} makes something else of the same arguments now.`);
}

/**
 * Whether a call's approval is still valid. Synchronous, right before a start.
 *
 * @param now `undefined` proves nothing
 * @source ADR 0020
 */
export function isStillApproved(
  { settings }: Pick<Tools, 'settings'>,
  { requested, answered, granted }: Call,
  now: number | undefined,
): boolean {
  const { approvalValidForMs = settings.approvalValidForMs } = detailsOf(settings, requested.toolName);
  const approval = answered ?? granted;
  if (approval === undefined || approvalValidForMs === undefined) return true;
  return now !== undefined && now - approval.at <= approvalValidForMs;
}

export function unfit(
  { settings }: Tools,
  { requested }: Call,
  error: Error,
): Extract<EventBody, { type: 'tool-failed' }> {
  return failed(requested.toolCallId, error.message, shownInvalid(settings, requested, error));
}
