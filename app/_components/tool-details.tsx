import type { CallView } from '../_chat/tool-call.ts';
import { CallArguments } from './call-arguments.tsx';
import { JsonDetails } from './json-details.tsx';
import { ReadableValue } from './readable-value.tsx';
import styles from './tool-details.module.css';

/** Arguments and result of a call, readable, with the exact JSON on demand. */
export function ToolDetails({ call }: { call: CallView }) {
  return (
    <div className={styles.details}>
      <section className={styles.part} aria-label="Arguments">
        <h4 className={styles.heading}>
          Arguments <code>{call.toolName}</code>
        </h4>
        {call.input === undefined ? (
          <p className={styles.later}>They are shown with the result.</p>
        ) : (
          <CallArguments input={call.input} label="Arguments as JSON" />
        )}
      </section>
      {call.problem !== undefined && call.output === undefined && (
        <section className={styles.part} aria-label="Error">
          <h4 className={styles.heading}>Error</h4>
          <p className={styles.problem}>{call.problem}</p>
        </section>
      )}
      {call.output !== undefined && (
        <section className={styles.part} aria-label="Result">
          <h4 className={styles.heading}>Result</h4>
          <ReadableValue value={call.output} />
          <JsonDetails label="Result as JSON" value={call.output} />
        </section>
      )}
    </div>
  );
}
