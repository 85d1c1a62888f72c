import { Markdown } from '../../_ui/markdown.tsx';
import styles from './draft.module.css';

/**
 * The answer while it is being written. It has the same words in the same place as the final text, so that
 * settling only takes the marks away.
 */
export function Draft({
  text,
  isGrowing,
  isWaiting,
}: {
  text: string;
  isGrowing: boolean;
  isWaiting: boolean;
}) {
  return (
    <section className={styles.draft} aria-label="Draft" data-state={isGrowing ? 'growing' : 'resting'}>
      <p className={styles.mark}>{isWaiting ? 'Draft: continues after you answer' : 'Draft'}</p>
      <Markdown text={text} />
    </section>
  );
}
