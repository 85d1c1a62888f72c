import type { CallView } from '../_chat/tool-call.ts';
import type { AnswerRecord } from '../_chat/use-answers.ts';
import { visibleText } from '../_chat/visible-text.ts';
import { Icon } from './icon.tsx';
import { Seal } from './seal.tsx';
import styles from './settled-line.module.css';

const withdrawn: Record<string, string> = {
  superseded: 'Withdrawn by a new message',
  cancelled: 'Withdrawn: the run was stopped',
  expired: 'Denied: nobody answered in time',
};

/** How a question ended: by whom and when, as far as this page knows, and why. */
export function SettledLine({
  approval,
  answer,
}: {
  approval: NonNullable<CallView['approval']>;
  answer: AnswerRecord | undefined;
}) {
  const ended = approval.approved ? undefined : withdrawn[approval.reason ?? ''];
  const reason = ended === undefined ? approval.reason : undefined;
  return (
    <span className={styles.line} data-approved={approval.approved} data-fresh={answer !== undefined}>
      {approval.approved ? <Seal size={18} /> : <Icon name="cross" size={16} />}
      <span>
        {ended ?? (approval.approved ? 'Approved' : 'Denied')}
        {ended === undefined && answer !== undefined && ` by ${answer.by ?? 'you'}, ${clock(answer.at)}`}
        {reason !== undefined && reason !== '' && (
          <>
            {': '}
            <q className={styles.reason}>{visibleText(reason)}</q>
          </>
        )}
      </span>
    </span>
  );
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}
