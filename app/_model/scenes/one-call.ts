import type { Outcome } from '../outcome.ts';
import { bracketed } from '../outcome.ts';
import type { AskedCall, ScriptStep } from '../scene.ts';
import type { Turn } from '../turn.ts';
import { callsOf } from '../turn.ts';

/**
 * A scene that makes one call and then reports its outcome.
 *
 * @param subject the start of the sentences about a call that did not complete: "The weather in Tokyo"
 * @param sentenceOf returns the sentence about a result
 */
export function oneCall(
  turn: Turn,
  call: AskedCall,
  subject: string,
  sentenceOf: (value: unknown) => string,
): ScriptStep {
  const ended = callsOf(turn, call.toolName).at(-1);
  return ended ? { text: sentence(ended.outcome, subject, sentenceOf) } : { calls: [call] };
}

function sentence(outcome: Outcome, subject: string, sentenceOf: (value: unknown) => string): string {
  switch (outcome.state) {
    case 'completed':
      return sentenceOf(outcome.value);
    case 'denied':
      return `${subject} was not looked up: the call was denied${bracketed(outcome.reason)}.`;
    case 'failed':
      return `${subject} could not be looked up: ${outcome.reason}.`;
    case 'unknown':
      return `${subject} may not have been looked up: the outcome of the call is unknown${bracketed(outcome.reason)}.`;
    default:
      return outcome satisfies never;
  }
}
