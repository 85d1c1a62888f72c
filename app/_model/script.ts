import type { Scene, ScriptStep } from './scene.ts';
import { databaseScene } from './scenes/database.ts';
import { locationScene } from './scenes/location.ts';
import { multiplyScene } from './scenes/multiply.ts';
import { paymentsScene } from './scenes/payments.ts';
import { refundScene } from './scenes/refund.ts';
import { releaseScene } from './scenes/release.ts';
import { rotateKeyScene } from './scenes/rotate-key.ts';
import { fileSearchScene, webSearchScene } from './scenes/search.ts';
import { servicesScene } from './scenes/services.ts';
import { tripScene } from './scenes/trip.ts';
import { weatherScene } from './scenes/weather.ts';
import type { Turn } from './turn.ts';

/** The order matters: the search text may match another scene ("search the web for weather"). */
const scenes: readonly Scene[] = [
  webSearchScene,
  fileSearchScene,
  databaseScene,
  paymentsScene,
  releaseScene,
  refundScene,
  rotateKeyScene,
  tripScene,
  multiplyScene,
  servicesScene,
  locationScene,
  weatherScene,
];

const help =
  'I am a scripted demo model, so try "Search and update database", "Pay Alice 30 and Bob 40", ' +
  '"Release version 2.1", "Refund order 1007", "Plan my trip", "What is the weather in Tokyo?", "Where am I?", ' +
  '"multiply 5 and 4", "search the web for moon landing", ' +
  '"search files for approval", or "call the flaky service".';

/**
 * The next step of a turn. A tool that is not offered is not called, as with a real model.
 *
 * @param offered the names of the tools that may be called
 */
export function nextStep(turn: Turn, offered: ReadonlySet<string>): ScriptStep {
  for (const scene of scenes) {
    const step = scene(turn);
    const missing = step?.calls?.find(({ toolName }) => !offered.has(toolName));
    if (missing) return { text: `I cannot do that here: I have no tool "${missing.toolName}".` };
    if (step) return step;
  }
  return { text: help };
}
