import styles from './open-badge.module.css';

/**
 * How many questions wait, beside a name that they belong to.
 *
 * @param isAtLeast there are more, but nobody has counted them
 */
export function OpenBadge({ count, isAtLeast = false }: { count: number; isAtLeast?: boolean }) {
  const shown = `${count}${isAtLeast ? '+' : ''}`;
  const words = count === 1 && !isAtLeast ? '1 open request' : `${shown} open requests`;
  return (
    <span className={styles.badge} title={words}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">, {words}</span>
    </span>
  );
}
