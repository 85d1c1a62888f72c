import { printable } from '../../cli/command.ts';
import type { DecisionChange, GateDecision, NotRehearsed, Rehearsal, RehearsedCall } from './rehearsal.ts';

const decisions: readonly GateDecision[] = ['asked', 'allowed', 'denied', 'failed'];

const reasons: Readonly<Record<NotRehearsed, string>> = {
  'tool-removed': 'the tool was removed',
  'arguments-unfit': 'the arguments no longer match the schema',
  subagent: 'made by a subagent',
  'agent-request': 'requested by an agent outside the flow',
};

/** The report as lines for a terminal. Text from the log is escaped. */
export function rehearsalLines(rehearsal: Rehearsal): string[] {
  const { since, until, chats, calls, recorded, rehearsed, changes, notRehearsed } = rehearsal;
  const period = `${new Date(since).toISOString()} to ${new Date(until).toISOString()}`;
  const skipped = Object.entries(notRehearsed).flatMap(([why, count]) =>
    count === 0 ? [] : [`${callsOf(count)} not rehearsed: ${reasons[why as NotRehearsed]}`],
  );
  return [
    `${callsOf(calls)} in ${chats} ${chats === 1 ? 'chat' : 'chats'}, ${period}`,
    ...skipped,
    '',
    row('', 'then', 'rehearsed'),
    ...decisions.map((decision) => row(decision, recorded[decision], rehearsed[decision])),
    ...(changes.length === 0
      ? ['', 'The policy would have made the same decisions.']
      : changes.flatMap(changeLines)),
  ];
}

function changeLines({ from, to, calls, people, tools, answers, examples }: DecisionChange): string[] {
  const byTool = Object.entries(tools).map(([name, count]) => `${printable(name)} ${count}`);
  const given = Object.entries(answers ?? {}).flatMap(([answer, count]) =>
    count === 0 ? [] : [`${answer === 'none' ? 'without an answer' : answer} ${count}`],
  );
  return [
    '',
    `${from} → ${to}: ${callsOf(calls)} of ${people} ${people === 1 ? 'person' : 'people'} (${byTool.join(', ')})`,
    ...(given.length === 0 ? [] : [`  the questions then: ${given.join(', ')}`]),
    ...examples.map((call) => `  ${exampleText(call)}`),
  ];
}

function exampleText({
  at,
  askedBy,
  toolName,
  description,
  input,
  reason,
  answer,
  ...call
}: RehearsedCall): string {
  const what = `${printable(description ?? toolName)} ${printable(input)}`;
  const who = askedBy ? ` for ${printable(askedBy.name)}` : '';
  const facts = [answer === 'none' ? undefined : answer, reason && printable(reason)].filter(Boolean);
  const place = `chat ${printable(call.chatId)}, call ${printable(call.toolCallId)}`;
  return [new Date(at).toISOString(), `${what}${who}`, ...facts, place].join(' · ');
}

function callsOf(count: number): string {
  return `${count} ${count === 1 ? 'call' : 'calls'}`;
}

function row(name: string, ...cells: readonly (string | number)[]): string {
  return [name.padEnd(8), ...cells.map((cell) => String(cell).padStart(10))].join('');
}
