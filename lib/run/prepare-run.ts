import type { Journal } from '../log/journal.ts';
import { currentAsker, principalOf, type Turn } from '../log/turn/turn.ts';
import type { Principal } from '../protocol/index.ts';
import { settingsOfTurn } from '../settings/call/prepare-call.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { asNow } from '../settings/former-ids.ts';
import { withClientTools } from '../settings/tools/client-tools.ts';

/** `prepareCall` failed, or returned what it may not. */
export class UnpreparedError extends Error {
  override readonly name = 'UnpreparedError';

  constructor(cause: unknown) {
    super('The settings of a run could not be prepared.', { cause });
  }
}

/** The principal of a turn, for tools, and the same person as known now, both with their current ids. */
export function askerOf(
  settings: FlowSettings,
  { by, asker }: Turn,
  acting: Principal,
): { readonly principal: Principal; readonly asker: Principal } {
  const who = asNow(settings, acting);
  const asked = {
    ...(by && { by: asNow(settings, by) }),
    ...(asker && { asker: asNow(settings, asker) }),
  };
  return { principal: principalOf(asked, who), asker: currentAsker(asked, who) };
}

/**
 * The settings of the open turn.
 *
 * @param acting who makes the request; counts as the principal of a turn that recorded none
 * @source ADR 0030
 */
export function settingsOfJournal(
  settings: FlowSettings,
  { turn, head }: Pick<Journal, 'turn' | 'head'>,
  acting: Principal,
): FlowSettings | Promise<FlowSettings> {
  // No model is called, so there is nothing to prepare.
  if (turn.options?.agentRequest) return settings;
  const { principal } = askerOf(settings, turn, acting);
  const own = settingsOfTurn(settings, { principal, chatId: head.id, callOptions: turn.callOptions });
  return own instanceof Promise
    ? own.then((ready) => withClientTools(ready, turn.options))
    : withClientTools(own, turn.options);
}

/**
 * Waits for the settings of a run, unless it ends first.
 *
 * @throws UnpreparedError, or the abort reason
 */
export async function prepared(settings: Promise<FlowSettings>, signal: AbortSignal): Promise<FlowSettings> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const ready = settings.catch((error: unknown) => {
    throw new UnpreparedError(error);
  });
  return Promise.race([ready, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
