import styles from './open-badge.module.css';

/**
 * The number of open questions, beside the name of what they belong to.
 *
 * @param isAtLeast there are more, not counted
 */
export function OpenBadge({ count, isAtLeast = false }: { count: number; isAtLeast?: boolean }) {
  const shown = `${count}${isAtLeast ? '+' : ''}`;
  const words = count === 1 && !isAtLeast ? 'one open request' : `${shown} open requests`;
  return (
    <span className={styles.badge} title={words.charAt(0).toUpperCase() + words.slice(1)}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">, {words}</span>
    </span>
  );
}
