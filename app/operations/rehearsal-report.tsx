import { readableName, visibleText } from 'countersign/react';
import { timeText } from '../_entries/entry.tsx';
import styles from './rehearsal.module.css';
import type { Decision, Rehearsal } from './rehearsal-api.ts';

const decisions: readonly { readonly decision: Decision; readonly words: string }[] = [
  { decision: 'asked', words: 'A person is asked' },
  { decision: 'allowed', words: 'Runs without a question' },
  { decision: 'denied', words: 'Denied by a rule' },
  { decision: 'failed', words: 'The policy failed' },
];

const answerWords = {
  approved: 'approved',
  edited: 'approved with edits',
  denied: 'denied',
  remembered: 'covered by a remembered approval',
  none: 'not answered',
} as const;

type Change = Rehearsal['changes'][number];

/** What was decided and what the policy would have decided, and examples of each kind of change. */
export function RehearsalReport({ report }: { report: Rehearsal }) {
  const left = Object.values(report.notRehearsed).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <table className={styles.counts}>
        <caption>
          <span>
            {counted(report.calls, 'call')} in {counted(report.chats, 'chat')}
          </span>
          {left > 0 && <span>; {counted(left, 'call')} could not be rehearsed</span>}
        </caption>
        <thead>
          <tr>
            <th scope="col">Decision</th>
            <th scope="col">Recorded</th>
            <th scope="col">With this policy</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map(({ decision, words }) => (
            <tr key={decision}>
              <th scope="row">{words}</th>
              <td>{report.recorded[decision]}</td>
              <td>{report.rehearsed[decision]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.changes.length === 0 ? (
        <p>This policy would have made the same decisions.</p>
      ) : (
        <ul>
          {report.changes.map((change) => (
            <li key={`${change.from} ${change.to}`}>
              <ChangedCalls change={change} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ChangedCalls({ change: { from, to, calls, people, answers, examples } }: { change: Change }) {
  const given = Object.entries(answers ?? {}).filter(([, count]) => count > 0);
  return (
    <>
      <h3>
        {wordsOf(from)} → {wordsOf(to).toLowerCase()}: {counted(calls, 'call')} of{' '}
        {people === 1 ? '1 person' : `${people} people`}
      </h3>
      {given.length > 0 && (
        <p>
          How the questions ended:{' '}
          {given
            .map(([answer, count]) => `${count} ${answerWords[answer as keyof typeof answerWords]}`)
            .join(', ')}
          .
        </p>
      )}
      <ol className={styles.examples}>
        {examples.map(({ chatId, toolCallId, toolName, title, description, at, askedBy, answer }) => (
          <li key={`${chatId} ${toolCallId}`}>
            <bdi>{visibleText(description ?? title ?? readableName(toolName))}</bdi>
            <span className={styles.facts}>
              <span>{timeText(at)}</span>
              {askedBy && (
                <span>
                  , asked by <bdi>{visibleText(askedBy.name)}</bdi>
                </span>
              )}
              {answer && <span>, {answerWords[answer]}</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function wordsOf(decision: Decision): string {
  return decisions.find((one) => one.decision === decision)?.words ?? decision;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}
