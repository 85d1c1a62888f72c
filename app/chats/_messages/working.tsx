import styles from './working.module.css';

/** The assistant is working and has nothing to show yet. */
export function Working() {
  return (
    <p className={styles.working}>
      <span className={styles.stroke} aria-hidden="true" />
      Working
    </p>
  );
}
