import { executorOf, toolNamed } from './tool-traits.ts';
import type { FlowSettings } from './types.ts';

/**
 * Refuses settings that promise what cannot be kept.
 *
 * @throws RangeError at start-up, when a tool that the client executes is to keep its arguments from it
 * @source ADR 0011
 */
export function checkSettings(settings: FlowSettings): void {
  for (const [name, details] of Object.entries(settings.toolDetails ?? {})) {
    const tool = toolNamed(settings, name);
    const runsOnClient = tool && tool.type !== 'provider' && executorOf(tool, false) === 'client';
    if (runsOnClient && details?.secrets?.input !== undefined) {
      throw new RangeError(
        `The arguments of ${name} cannot be secret: the client executes it, and needs them. ` +
          'Remove `secrets.input`, or give the tool an `execute`.',
      );
    }
  }
}
