import styles from './open-badge.module.css';

/**
 * How many questions wait, beside a name that they belong to.
 *
 * @param isAtLeast there are more, but nobody has counted them
 */
export function OpenBadge({ count, isAtLeast = false }: { count: number; isAtLeast?: boolean }) {
  const shown = `${count}${isAtLeast ? '+' : ''}`;
  const words = count === 1 && !isAtLeast ? 'a question waits' : `${shown} questions wait`;
  return (
    <span className={styles.badge} title={words.charAt(0).toUpperCase() + words.slice(1)}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">, {words}</span>
    </span>
  );
}
