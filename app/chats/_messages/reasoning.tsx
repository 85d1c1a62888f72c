import { Markdown } from '../../_ui/markdown.tsx';
import styles from './reasoning.module.css';

/** What the model thought, folded away. */
export function Reasoning({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <details className={styles.reasoning}>
      <summary className={styles.summary}>Reasoning</summary>
      <Markdown text={text} />
    </details>
  );
}
