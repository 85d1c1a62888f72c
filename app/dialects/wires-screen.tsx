'use client';

import { Screen } from '../_frame/screen.tsx';
import { useChatList } from '../chats/_list/chat-list.tsx';
import { wires } from './_wires/index.ts';
import { phaseOf } from './_wires/wire-state.ts';
import { PromptForm } from './prompt-form.tsx';
import { useWires } from './use-wires.ts';
import { WireColumn } from './wire-column.tsx';
import styles from './wires-screen.module.css';

/** The page: one prompt, and a column for each wire. */
export function WiresScreen() {
  const { refresh } = useChatList();
  const { states, send, answer } = useWires(refresh);
  const phases = states.map(phaseOf);
  const countOf = (phase: (typeof phases)[number]) => phases.filter((one) => one === phase).length;

  return (
    <Screen title="Dialects" className={styles.screen}>
      <div className={styles.lead}>
        <h2 className={styles.heading}>One message, five wire formats.</h2>
        <p>
          Each wire has a chat of its own, its frames as they arrive, and what a client of it knows.{' '}
          {/* A whole load: that page keeps its conversation in an address of its own making. */}
          <a href="/dialects/tool-events">Tool events</a> has a page of its own, too.
        </p>
      </div>
      <PromptForm isBusy={phases.includes('running')} onSend={send} />
      <p className={styles.status} role="status">
        {phases.every((phase) => phase === 'idle')
          ? 'Nothing sent yet.'
          : `${countOf('running')} running, ${countOf('waiting')} waiting for your answer, ${countOf('done')} done, ${countOf('failed')} failed.`}
      </p>
      <div className={styles.columns}>
        {wires.map((wire, index) => {
          const state = states[index];
          return (
            state && (
              <WireColumn
                key={wire.id}
                wire={wire}
                state={state}
                onAnswer={(approvalId, approved) => answer(index, approvalId, approved)}
              />
            )
          );
        })}
      </div>
    </Screen>
  );
}
