import type { Journal } from '../log/journal.ts';
import { principalOf } from '../log/turn/turn.ts';
import { settingsOfTurn } from '../settings/call/prepare-call.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { withClientTools } from '../settings/tools/client-tools.ts';

/** `prepareCall` failed, or returned what it may not. */
export class UnpreparedError extends Error {
  override readonly name = 'UnpreparedError';

  constructor(cause: unknown) {
    super('The settings of a run could not be prepared.', { cause });
  }
}

export function settingsOfJournal(
  settings: FlowSettings,
  { turn, head }: Pick<Journal, 'turn' | 'head'>,
): FlowSettings | Promise<FlowSettings> {
  // No model is called, so there is nothing to prepare.
  if (turn.options?.agentRequest) return settings;
  const own = settingsOfTurn(settings, {
    principal: principalOf(turn),
    chatId: head.id,
    callOptions: turn.callOptions,
  });
  return own instanceof Promise
    ? own.then((ready) => withClientTools(ready, turn.options))
    : withClientTools(own, turn.options);
}

/** Waits for the settings of a run, unless it ends first. @throws UnpreparedError, or the abort reason */
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
