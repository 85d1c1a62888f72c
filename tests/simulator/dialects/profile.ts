import { type ToolName, toolNames } from '../actors/tools.ts';
import type { Random } from '../machine/random.ts';

/** The dialects, by the names of their folders in `lib/plugins`. */
export const dialectNames = ['tool-events', 'two-step-stream', 'chat-socket', 'responses'] as const;
export type DialectName = (typeof dialectNames)[number];

/** How the clients of dialects behave in one schedule. */
export type DialectProfile = {
  /** The dialects in which turns are read. */
  readonly followed: readonly DialectName[];
  /** The share of turns that a reader of each dialect follows. */
  readonly share: number;
  /** The share of connections that their reader leaves early, and reads slowly. */
  readonly leaves: number;
  readonly slow: number;
  /** The share of steps at which a person also sends, answers or stops something through a dialect. */
  readonly commands: number;
  /** The longest pause of the model within the text of a step, in virtual milliseconds. */
  readonly talkMs: number;
  /** Tools whose output is secret. */
  readonly secret: readonly ToolName[];
};

/** The share of schedules that use dialects. The other schedules are the same as without this feature. */
const share = 0.25;

/** The part of a seed's profile that is about dialects. It has its own random numbers. */
export function dialectProfileOf(
  random: Random,
  { dataParts }: { readonly dataParts: boolean },
): DialectProfile | undefined {
  if (!random.chance(share)) return undefined;
  const first = random.pick(dialectNames);
  const followed = dialectNames.filter((name) => name === first || random.chance(0.25));
  if (followed.length === 0) return undefined;
  return {
    followed,
    share: random.pick([0.5, 0.9]),
    leaves: random.pick([0, 0.3, 0.7]),
    slow: random.pick([0, 0.4]),
    commands: random.pick([0, 0.2, 0.4]),
    talkMs: random.pick([0, 400, 1_500]),
    // The secrets of an output are left out of data parts as well, which would leave nothing of these.
    secret:
      !dataParts && random.chance(0.4)
        ? toolNames.filter((name) => name !== 'page' && random.chance(0.5))
        : [],
  };
}
