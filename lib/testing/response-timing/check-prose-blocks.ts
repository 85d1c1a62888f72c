import { blame, type TimedResponse, type TimedTurn } from './timed-turn.ts';
import type { TimingRule } from './violation.ts';

/** Each block of text or reasoning starts once and ends, with its deltas in between. */
export function checkProseBlocks(turn: TimedTurn, response: TimedResponse, rule: TimingRule): void {
  const open = new Map<string, string>();
  for (const chunk of response.body) {
    switch (chunk.type) {
      case 'text-start':
      case 'reasoning-start':
        if (open.has(chunk.id)) blame(turn, response, rule, `block ${chunk.id} starts twice`, chunk);
        open.set(chunk.id, chunk.type);
        break;
      case 'text-delta':
      case 'reasoning-delta':
        if (!open.has(chunk.id)) blame(turn, response, rule, `block ${chunk.id} has not started`, chunk);
        break;
      case 'text-end':
      case 'reasoning-end':
        if (!open.delete(chunk.id)) blame(turn, response, rule, `block ${chunk.id} has not started`, chunk);
        break;
      default:
        break;
    }
  }
  for (const id of open.keys()) blame(turn, response, rule, `block ${id} does not end`);
}
