import { errorFacts, type Logger } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/** Asks the platform not to freeze this process. Outside a request some throw; the run continues. @source ADR 0034 */
export function keepAlive(
  { waitUntil }: Pick<FlowSettings, 'waitUntil'>,
  work: () => Promise<void>,
  { logger, ...place }: { readonly logger: Logger; readonly chatId: string; readonly runId: string },
): void {
  const warn = (error: unknown) => {
    const facts = { ...place, error: errorFacts(error) };
    logger.warn('The platform could not be asked to keep a run alive.', facts);
  };
  try {
    const asked: unknown = waitUntil?.(work());
    // It may be an `async` function.
    Promise.resolve(asked).catch(warn);
  } catch (error) {
    warn(error);
  }
}
