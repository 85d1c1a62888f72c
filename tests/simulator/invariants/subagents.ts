import { checkPrompt } from '../../support/check-prompt.ts';
import type { Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/**
 * A call of a subagent starts after the subagent's step that made it, and before the end of the subagent's own call; that
 * call starts and ends once, in one append. Nothing is left open, and prompts of subagents are complete (ADR 0035).
 */
export const subagents: Invariant = {
  name: 'a subagent ends once, and nothing of it runs before or after',
  check(history) {
    const { verify, result } = tally();
    for (const [chatId, log] of history.logs) {
      const work = log.flatMap(({ event }) =>
        event.type === 'tool-requested' && event.agent ? [event.toolCallId] : [],
      );
      for (const id of work) verify(...faultsOf(log, id).map((fault) => `${chatId}/${id} ${fault}`));
    }
    for (const { chatId, prompt } of history.agentPrompts)
      verify(...checkPrompt(prompt).map((fault) => `a subagent of ${chatId}: ${fault}`));
    return result();
  },
};

function faultsOf(log: readonly Written[], id: string): string[] {
  const place = (type: string, call = id) =>
    log.findIndex(({ event }) => event.type === type && 'toolCallId' in event && event.toolCallId === call);
  const endOf = (call: string) =>
    log.findIndex(({ event }) => isEnd(event.type) && 'toolCallId' in event && event.toolCallId === call);
  const faults: string[] = [];
  const [started, end] = [place('tool-started'), endOf(id)];
  if (started !== -1 && end !== started + 1) faults.push('started without its end');
  const steps = log.flatMap(({ event }) =>
    event.type === 'agent-step' && event.toolCallId === id ? [event.step] : [],
  );
  if (steps.some((step, index) => step !== index)) faults.push(`has the steps ${steps.join(', ')}`);
  const children = log.flatMap(({ event }) =>
    event.type === 'tool-requested' && event.parent === id ? [event.toolCallId] : [],
  );
  for (const child of children) {
    if (place('tool-requested', child) < place('agent-step'))
      faults.push(`had ${child} before its first step`);
    if (end !== -1 && place('tool-started', child) > end) faults.push(`had ended when ${child} started`);
    if (end !== -1 && endOf(child) === -1) faults.push(`has ended, and ${child} has not`);
    if (end !== -1 && endOf(child) > end) faults.push(`ended before ${child}`);
  }
  return faults;
}

function isEnd(type: Written['event']['type']): boolean {
  return ['tool-completed', 'tool-failed', 'tool-denied', 'tool-cancelled'].includes(type);
}
