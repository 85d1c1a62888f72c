import type { CallView } from '../_chat/tool-call.ts';
import { CallArguments } from './call-arguments.tsx';
import { JsonDetails } from './json-details.tsx';
import { ReadableValue } from './readable-value.tsx';
import styles from './tool-details.module.css';

/** Arguments and result of a call, readable, with the exact JSON on demand. */
export function ToolDetails({ call }: { call: CallView }) {
  return (
    <div className={styles.details}>
      <div>
        <p className={styles.heading}>
          Arguments <code>{call.toolName}</code>
        </p>
        {call.input === undefined ? (
          <p className={styles.later}>They are shown with the result.</p>
        ) : (
          <CallArguments input={call.input} label="Arguments as JSON" />
        )}
      </div>
      {call.problem !== undefined && call.output === undefined && (
        <div>
          <p className={styles.heading}>Error</p>
          <p className={styles.problem}>{call.problem}</p>
        </div>
      )}
      {call.output !== undefined && (
        <div>
          <p className={styles.heading}>Result</p>
          <ReadableValue value={call.output} />
          <JsonDetails label="Result as JSON" value={call.output} />
        </div>
      )}
    </div>
  );
}
