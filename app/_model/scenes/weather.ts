import { z } from 'zod';
import type { Scene } from '../scene.ts';
import { oneCall } from './one-call.ts';

const weather = z.object({
  location: z.string(),
  temperature: z.number(),
  unit: z.enum(['celsius', 'fahrenheit']),
  condition: z.string(),
});

const unitWords = /\s*,?\s*\b(?:in|as)?\s*(?:degrees\s+)?(celsius|fahrenheit)\b/i;

/** "What is the weather in Tokyo?": the words after "in", or the ones before "weather". */
function locationIn(request: string): string | undefined {
  const words = request.replace(unitWords, '').replace(/[?!.\s]+$/, '');
  const location =
    /\bweather\b.*?\b(?:in|at|for|of)\s+(.+)$/i.exec(words)?.[1] ??
    /^(?:what(?:'s|’s|\s+is)\s+)?(?:the\s+)?(.+?)(?:'s|’s)?\s+weather\b/i.exec(words)?.[1];
  return location?.replace(/\s+(?:like|today|now|right now|at the moment)$/i, '').trim() || undefined;
}

/** "What is the weather in Tokyo?" */
export const weatherScene: Scene = (turn) => {
  if (!/\bweather\b/i.test(turn.request)) return undefined;
  const location = locationIn(turn.request);
  if (!location || /^(?:the|what is|what's|how is)$/i.test(location)) return undefined;
  const unit = unitWords.exec(turn.request)?.[1]?.toLowerCase();
  const call = { toolName: 'get_weather', input: { location, unit: unit || undefined } };
  return oneCall(turn, call, `The weather in ${location}`, (value) => {
    const report = weather.safeParse(value).data;
    if (!report) return `The weather in ${location} came in a form I cannot read.`;
    const degrees = `${report.temperature} °${report.unit === 'celsius' ? 'C' : 'F'}`;
    return `It is ${degrees} and ${report.condition} in ${report.location}.`;
  });
};
