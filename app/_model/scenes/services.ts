import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

/** The arguments for each service. The strict one expects a positive integer and receives an invalid one. */
const inputs: Readonly<Record<string, unknown>> = {
  flaky: {},
  broken: {},
  strict: { orderNumber: 'not a number' },
};

/** "call the flaky service", "call the broken service", "call the strict service badly". */
export const servicesScene: Scene = (turn) => {
  const service = /\b(flaky|broken|strict)\s+service\b/i.exec(turn.request)?.[1]?.toLowerCase();
  if (!service) return undefined;
  const toolName = `${service}_service`;
  const outcome = callsOf(turn, toolName).at(-1)?.outcome;
  if (!outcome) return { calls: [{ toolName, input: inputs[service] }] };
  switch (outcome.state) {
    case 'completed':
      return { text: `The ${service} service responded.` };
    case 'denied':
      return {
        text: `The ${service} service was not called: the call was denied${bracketed(outcome.reason)}.`,
      };
    case 'failed':
      return { text: `The ${service} service could not be used (${outcome.reason}).` };
    case 'unknown':
      return { text: `It is unknown whether the ${service} service was called${bracketed(outcome.reason)}.` };
    default:
      return outcome satisfies never;
  }
};
