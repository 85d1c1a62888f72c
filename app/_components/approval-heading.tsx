import type { Descriptor, Position } from '../_chat/question.ts';
import type { CallView } from '../_chat/tool-call.ts';
import { useRemainingTime } from '../_chat/use-remaining-time.ts';
import { visibleText } from '../_chat/visible-text.ts';
import styles from './approval-heading.module.css';
import { Icon } from './icon.tsx';
import { Seal } from './seal.tsx';

const risks = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } as const;

/** What will happen, who asks, how much it matters, how many questions there are. */
export function ApprovalHeading({
  id,
  descriptor,
  call,
}: {
  id: string;
  descriptor: Descriptor;
  call: CallView;
}) {
  const remaining = useRemainingTime(descriptor.deadline);
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <Seal size={22} tone="outline" />
        <span className={styles.kicker}>Your approval is needed</span>
        {descriptor.position !== undefined && <Place position={descriptor.position} />}
        {descriptor.risk !== undefined && (
          <span className={styles.risk} data-risk={descriptor.risk}>
            {risks[descriptor.risk]}
          </span>
        )}
      </div>
      <h2 className={styles.description} id={id}>
        <span className="visually-hidden">Approval needed: </span>
        {visibleText(descriptor.description)}
      </h2>
      <p className={styles.asker}>
        The assistant wants to use <strong>{call.title}</strong> <code>{call.toolName}</code>
      </p>
      {remaining !== undefined && (
        <p className={styles.deadline}>
          <Icon name="clock" size={16} />
          {remaining}
        </p>
      )}
    </header>
  );
}

function Place({ position }: { position: Position }) {
  // The only question needs no number.
  if (position.index === 1 && position.of === 1) return null;
  const words =
    position.of === undefined ? `Question ${position.index}` : `${position.index} of ${position.of}`;
  return <span className={styles.place}>{words}</span>;
}
