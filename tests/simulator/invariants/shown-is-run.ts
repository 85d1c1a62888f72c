import { isDeepStrictEqual } from 'node:util';
import { questionsShown } from '../schedule/shown-questions.ts';
import { approvalsSent } from './facts.ts';
import { type Invariant, tally } from './invariant.ts';

/** A tool receives what a person was shown or wrote, and it is the tool that the question was about. */
export const shownIsRun: Invariant = {
  name: 'what was shown is what runs',
  check(history) {
    const { verify, result } = tally();
    const shown = questionsShown(history);
    const sent = approvalsSent(history);
    for (const { approvalId, input } of shown) {
      const other = shown.find(
        (each) => each.approvalId === approvalId && !isDeepStrictEqual(each.input, input),
      );
      if (other) verify(`${approvalId} was shown with two inputs: ${text(input)} and ${text(other.input)}`);
    }
    for (const { chatId, toolCallId, tool, moment, input, version, instance } of history.executions) {
      const log = history.logOf(chatId).filter((written) => written.moment < moment);
      const answer = log.findLast(
        ({ event }) =>
          event.type === 'approval-answered' && event.approved && event.toolCallId === toolCallId,
      )?.event;
      if (answer?.type !== 'approval-answered') continue;
      const { approvalId, by } = answer;
      const asked = log.find(
        ({ event }) => event.type === 'approval-requested' && event.approvalId === approvalId,
      );
      const edits = sent.filter(
        (each) => each.approvalId === approvalId && each.who === by.id && each.input !== undefined,
      );
      const plain = sent.some(
        (each) => each.approvalId === approvalId && each.who === by.id && each.input === undefined,
      );
      const isSecret = history.profile.subscriptions?.secret.some((name) => name === tool) ?? false;
      const unedited = plain ? shown.filter((each) => each.approvalId === approvalId) : [];
      const offered = [
        ...unedited.map((each) => ({ is: each.input, ran: isSecret ? redacted(input) : input })),
        ...edits.map((each) => ({ is: asRun(tool, each.input), ran: input })),
      ];
      if (offered.length === 0) continue;
      verify(
        !offered.some(({ is, ran }) => isDeepStrictEqual(is, ran)) &&
          `${instance} ran ${chatId}/${toolCallId} with ${text(input)}, but ${offered.map(({ is }) => text(is)).join(' or ')} was shown`,
        tool === 'pay' &&
          asked?.version !== version &&
          `${instance} ran ${chatId}/${toolCallId} by version ${version}, but version ${asked?.version} was asked about`,
      );
    }
    return result();
  },
};

/** What the tool receives for edited arguments: its schema adds a default, or transforms them. */
function asRun(tool: string, input: unknown): unknown {
  const { n } = input as { n: number };
  if (tool === 'cents') return { ...(input as object), n: n * 100 };
  return tool === 'wire' ? { note: 'without a word', ...(input as object) } : input;
}

/** A voter's edit of a secret argument is not shown to the next voter. */
function redacted(input: unknown): unknown {
  const has = typeof input === 'object' && input !== null && 'note' in input;
  return has ? { ...input, note: '[redacted]' } : input;
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
