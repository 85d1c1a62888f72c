'use client';

import { OutcomeForm, postOutcome, readableName, useReconnected, visibleText } from 'countersign/react';
import Link from 'next/link';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { timeText } from '../_entries/entry.tsx';
import { Screen } from '../_frame/screen.tsx';
import { Button } from '../_ui/button.tsx';
import { questionHref } from '../inbox/question-href.ts';
import { Deliveries } from './deliveries.tsx';
import { loadOperations, type Operations } from './operations-api.ts';
import styles from './operations-screen.module.css';
import { Rehearsal } from './rehearsal.tsx';
import { loadPolicies } from './rehearsal-api.ts';

/**
 * What needs an operator: runs without progress, unknown outcomes, paused tools, and undelivered events. `children` follow, as the
 * server has rendered them.
 */
export function OperationsScreen({ children }: { children?: ReactNode }) {
  const [found, setFound] = useState<Operations>();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const load = useCallback(async () => {
    setState('loading');
    const read = await loadOperations();
    setState(read ? 'ready' : 'failed');
    if (read) setFound(read);
  }, []);
  useEffect(() => {
    void load();
  }, [load]);
  useReconnected(() => void load());

  return (
    <Screen title="Operations" className={styles.screen}>
      <div className={styles.bar}>
        <p role="status">{state === 'loading' && 'Loading…'}</p>
        <Button onClick={() => void load()}>Check again</Button>
      </div>
      {state === 'failed' && <p role="alert">The list couldn’t be loaded.</p>}
      {found && <Lists found={found} reload={load} />}
      {children}
    </Screen>
  );
}

function Lists({
  found: { runs, outcomes, chatsSearched, pauses },
  reload,
}: {
  found: Operations;
  reload: () => Promise<void>;
}) {
  return (
    <>
      <Part
        title="Runs without progress"
        empty="Runs appear here when no server executes them, or when nothing was recorded for ten minutes."
      >
        {runs.map(({ chatId, runId, state, waitsForPlugin, since, maySeeChat }) => (
          <li key={runId}>
            <Chat id={chatId} mayOpen={maySeeChat} />
            <p>
              {state === 'abandoned' ? 'No server executes it.' : 'A server executes it.'} Last recorded:{' '}
              {timeText(since)}.
            </p>
            {waitsForPlugin !== undefined && <p>Needs the plugin “{waitsForPlugin}”.</p>}
          </li>
        ))}
      </Part>
      <Part
        title="Unknown outcomes"
        empty={`Approved calls appear here when nobody knows whether they took effect. ${searchedWords(chatsSearched)}`}
      >
        {outcomes.map((outcome) => (
          <UnknownOutcome key={`${outcome.chatId} ${outcome.toolCallId}`} outcome={outcome} reload={reload} />
        ))}
      </Part>
      <Part title="Paused tools" empty="Tools appear here while they are paused.">
        {pauses.map(({ tool, reason, by, at }) => (
          <li key={tool ?? ''}>
            <strong>{tool === undefined ? 'All tools' : visibleText(readableName(tool))}</strong>
            <p>{visibleText(reason)}</p>
            <p>
              By {visibleText(by.name)}, {timeText(at)}
            </p>
          </li>
        ))}
      </Part>
      <section className={styles.part} aria-label="Undelivered events" tabIndex={-1}>
        <h2>Undelivered events</h2>
        <Deliveries />
      </section>
      <Policies />
    </>
  );
}

/** The form that rehearses a policy, if the server has policies to rehearse. */
function Policies() {
  const [policies, setPolicies] = useState<readonly string[]>([]);
  const load = useCallback(async () => setPolicies((await loadPolicies()) ?? []), []);
  useEffect(() => {
    void load();
  }, [load]);
  useReconnected(() => void load());
  if (policies.length === 0) return null;
  return (
    <section className={styles.part} aria-label="Rehearse a policy" tabIndex={-1}>
      <h2>Rehearse a policy</h2>
      <Rehearsal policies={policies} />
    </section>
  );
}

/** A call of which nobody knows what came of it, with the form for people who may record it. */
function UnknownOutcome({
  outcome: { chatId, toolCallId, approvalId, toolName, title, since, maySeeChat, mayRecord },
  reload,
}: {
  outcome: Operations['outcomes'][number];
  reload: () => Promise<void>;
}) {
  return (
    <li>
      <strong>{visibleText(title ?? readableName(toolName))}</strong>
      <Chat id={chatId} mayOpen={maySeeChat} />
      <p>
        <span>Ended {timeText(since)}.</span>{' '}
        {!mayRecord && <span>Only people who may answer can record the outcome. Request: {approvalId}.</span>}
      </p>
      {mayRecord && (
        <>
          <p>
            <Link href={questionHref({ id: approvalId })}>Open the request</Link>
          </p>
          <OutcomeForm
            onResolve={async (found) => {
              await postOutcome({}, { chatId, toolCallId }, found);
              await reload();
            }}
          />
        </>
      )}
    </li>
  );
}

function Part({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  return (
    <section className={styles.part} aria-label={title} tabIndex={-1}>
      <h2>{title}</h2>
      {children.length === 0 ? <p>{empty}</p> : <ul>{children}</ul>}
    </section>
  );
}

function Chat({ id, mayOpen }: { id: string; mayOpen: boolean }) {
  return (
    <p>
      <span>Chat</span> {mayOpen ? <Link href={`/chats/${id}`}>{id}</Link> : <span>{id}</span>}
    </p>
  );
}

function searchedWords(chats: number): string {
  return `Chats searched: ${chats}, those with the latest approvals.`;
}
