import type { Turn } from '../../log/turn/turn.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { missingPlugin } from '../../settings/plugin/gates.ts';

/**
 * A plugin that is missing here, and without which this turn must not continue: one with a gate that was installed where the turn
 * began, or one of which a question of the turn, or an answer to it, says something.
 *
 * @source ADR 0056.39, ADR 0056.42
 */
export function missingForTurn(settings: Pick<FlowSettings, 'plugins'>, turn: Turn): string | undefined {
  return missingPlugin(settings, [...(turn.gates ?? []), ...pluginsOf(turn)]);
}

function pluginsOf({ calls }: Turn): readonly string[] {
  return [...calls.values()].flatMap(({ kept, asked, answered, granted, pluginEvents = [] }) =>
    kept
      ? []
      : [
          ...Object.keys(asked?.plugins ?? {}),
          ...Object.keys(answered?.plugins ?? {}),
          ...(granted?.plugin === undefined ? [] : [granted.plugin]),
          ...pluginEvents.map(({ plugin }) => plugin),
        ],
  );
}
