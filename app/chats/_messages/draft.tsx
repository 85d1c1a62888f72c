import { useDeferredValue } from 'react';
import { Markdown } from '../../_ui/markdown.tsx';
import styles from './draft.module.css';

/**
 * A text of the answer that is not final yet. It has the same words in the same place as the final text, so that
 * settling only takes the marks away.
 *
 * @param isLast the one that still grows, or will: it names all of them
 */
export function Draft({
  text,
  isLast,
  isGrowing,
  isWaiting,
}: {
  text: string;
  isLast: boolean;
  isGrowing: boolean;
  isWaiting: boolean;
}) {
  const earlier = useDeferredValue(text);
  const grows = isLast && isGrowing;
  return (
    <section
      className={styles.draft}
      aria-label={isLast ? 'Draft' : undefined}
      data-state={grows ? 'growing' : 'resting'}
    >
      {isLast && <p className={styles.mark}>{isWaiting ? 'Draft: continues after you answer' : 'Draft'}</p>}
      {/* Parsing Markdown for each step of a growing text does not slow typing. Elsewhere, late text would move what follows. */}
      <Markdown text={grows ? earlier : text} />
    </section>
  );
}
