import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';
import { shown } from './details.ts';

const conditions = ['sunny', 'partly cloudy', 'cloudy', 'rainy', 'windy'] as const;
const units = ['celsius', 'fahrenheit'] as const;

const inputSchema = z.object({
  location: z.string().trim().min(1).max(200).describe('A city or another place.'),
  unit: z.enum(units).optional().describe('Default: Celsius.'),
});

type Input = z.infer<typeof inputSchema>;

/** `temperature` is an integer number of degrees in `unit`; `humidity` is a percentage. */
type Output = {
  readonly location: string;
  readonly temperature: number;
  readonly unit: (typeof units)[number];
  readonly condition: (typeof conditions)[number];
  readonly humidity: number;
};

/** FNV-1a of the lower-case name: a place has the same weather on every machine. */
function seedOf(location: string): number {
  let seed = 0x811c9dc5;
  for (const character of location.normalize('NFC').toLowerCase()) {
    seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return seed;
}

function weatherAt({ location, unit = 'celsius' }: Input): Output {
  const seed = seedOf(location);
  const celsius = (seed % 31) + 2;
  return {
    location,
    temperature: unit === 'celsius' ? celsius : Math.round((celsius * 9) / 5 + 32),
    unit,
    condition: conditions[(seed >>> 8) % conditions.length] ?? 'sunny',
    humidity: 35 + ((seed >>> 16) % 50),
  };
}

/** `get_weather`: invented weather that depends only on the place. No network. */
export function getWeatherTool() {
  return tool({
    title: 'Weather',
    description: 'Get the current weather of a place.',
    inputSchema,
    execute: async (input: Input) => weatherAt(input),
  });
}

/** How `get_weather` is presented. */
export const getWeatherDetails: ToolDetails<Input, Output> = {
  title: 'Weather',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: ({ location }) => `Looking up the weather in ${shown(location)}`,
  summarize: ({ location, temperature, unit, condition }) => ({
    summary: `${temperature} °${unit === 'celsius' ? 'C' : 'F'} and ${condition} in ${shown(location)}`,
    resultCount: 1,
  }),
};
