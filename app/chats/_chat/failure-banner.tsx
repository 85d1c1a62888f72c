import type { RequestFailure } from 'countersign/react';
import { Button } from '../../_ui/button.tsx';
import { Icon } from '../../_ui/icon.tsx';
import styles from './failure-banner.module.css';

/** Shows what went wrong, with a button to retry. */
export function FailureBanner({ failure, onRetry }: { failure: RequestFailure; onRetry: () => void }) {
  return (
    <div className={styles.banner} role="alert" data-kind={failure.kind}>
      <span className={styles.icon}>
        <Icon name="alert" />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>{failure.title}</p>
        <p className={styles.detail}>{failure.detail}</p>
      </div>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
