import { Button } from '../../_ui/button.tsx';
import { Icon } from '../../_ui/icon.tsx';
import styles from './composer.module.css';

/** One line in place of the message box while a question is open: its answers have the room. */
export function FoldedComposer({ onUnfold, onStop }: { onUnfold: () => void; onStop: () => void }) {
  return (
    <div className={styles.folded}>
      <Button kind="quiet" onClick={onUnfold}>
        Say something instead
      </Button>
      <Button kind="quiet" className={styles.stop} aria-label="Stop" title="Stop" onClick={onStop}>
        <Icon name="stop" size={18} />
        <span className={styles.word}>Stop</span>
      </Button>
    </div>
  );
}
