'use client';

import { readableDuration } from '../_chat/readable-name.ts';
import type { CallState, CallView } from '../_chat/tool-call.ts';
import type { AnswerRecord } from '../_chat/use-answers.ts';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';
import { SettledLine } from './settled-line.tsx';
import styles from './tool-card.module.css';
import { ToolDetails } from './tool-details.tsx';

const words: Record<CallState, string> = {
  preparing: 'Preparing',
  asking: 'Waiting for you',
  approved: '',
  running: 'Running',
  searching: 'Searching',
  retrying: 'Trying again',
  held: 'Done',
  done: 'Done',
  failed: 'Failed',
  unknown: 'Outcome unknown',
  denied: 'Not run',
  withdrawn: 'Not run',
};

const icons: Record<CallState, IconName> = {
  preparing: 'tool',
  asking: 'tool',
  approved: 'tool',
  running: 'tool',
  searching: 'search',
  retrying: 'retry',
  held: 'check',
  done: 'check',
  failed: 'alert',
  unknown: 'alert',
  denied: 'cross',
  withdrawn: 'cross',
};

const atWork: ReadonlySet<CallState> = new Set(['preparing', 'running', 'searching', 'retrying']);

/** One call of a tool: how it stands, what came of it, who allowed it. Opens to arguments and result. */
export function ToolCard({ call, answer }: { call: CallView; answer: AnswerRecord | undefined }) {
  return (
    <details
      className={styles.card}
      data-state={call.state}
      data-tool={call.toolName}
      data-busy={atWork.has(call.state)}
    >
      <summary className={styles.summary}>
        <span className={styles.icon}>
          <Icon name={icons[call.state]} size={18} />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>
            {call.title} <span className={styles.state}>{words[call.state]}</span>
          </span>
          <Outcome call={call} />
          {call.approval !== undefined && <SettledLine approval={call.approval} answer={answer} />}
        </span>
        <Measures call={call} />
        <span className={styles.chevron}>
          <Icon name="chevron" size={16} />
        </span>
      </summary>
      <ToolDetails call={call} />
    </details>
  );
}

function Outcome({ call }: { call: CallView }) {
  if (call.state === 'failed' || call.state === 'unknown') {
    return <span className={styles.problem}>{call.problem ?? 'No reason was given.'}</span>;
  }
  if (call.summary !== undefined && call.summary !== '') {
    return <span className={styles.outcome}>{call.summary}</span>;
  }
  return call.state === 'held' ? (
    <span className={styles.outcome}>The result follows after the last answer.</span>
  ) : null;
}

function Measures({ call: { resultCount, durationMs, wasRetried } }: { call: CallView }) {
  const parts = [
    resultCount === undefined ? '' : `${resultCount} ${resultCount === 1 ? 'result' : 'results'}`,
    wasRetried === true ? 'tried twice' : '',
    durationMs === undefined ? '' : readableDuration(durationMs),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <span className={styles.measures}>{parts.join(' · ')}</span>;
}
