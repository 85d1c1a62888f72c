import { bossDecides, moodOf } from '../actors/tools.ts';
import { type Invariant, tally } from './invariant.ts';

/** After a failing gate, or a rule that does not return `true`, nothing runs. */
export const inDoubt: Invariant = {
  name: 'when in doubt, nothing runs',
  check(history) {
    const { verify, result } = tally();
    for (const { chatId, toolCallId, tool, input, instance } of history.executions) {
      if (tool !== 'moody' && tool !== 'boss') continue;
      const requested = history
        .logOf(chatId)
        .find(({ event }) => event.type === 'tool-requested' && event.toolCallId === toolCallId)?.event;
      const asked = requested?.type === 'tool-requested' ? (requested.input as { n: number }).n : Number.NaN;
      verify(
        tool === 'moody' &&
          moodOf(asked) === 'fails' &&
          `${instance} ran ${chatId}/${toolCallId}, whose gate failed`,
        tool === 'boss' &&
          [asked, Number(input.n)].some((n) => bossDecides(n) === 'no') &&
          `${instance} ran ${chatId}/${toolCallId}, though its rule never said true`,
      );
    }
    for (const [chatId, log] of history.logs) {
      const boss = new Set(
        log.flatMap(({ event }) =>
          event.type === 'tool-requested' && event.toolName.endsWith('boss') ? [event.toolCallId] : [],
        ),
      );
      for (const { event, by } of log) {
        if (by === 'forger' || event.type !== 'approval-answered' || !boss.has(event.toolCallId)) continue;
        verify(
          (event.onBehalfOf ?? event.by).id !== 'cleo' &&
            `${event.by.id} answered ${chatId}/${event.toolCallId}, which only a manager may`,
        );
      }
    }
    return result();
  },
};
