import { visibleText } from '../_chat/visible-text.ts';
import styles from './json-details.module.css';

/** The exact JSON of a value, on demand. */
export function JsonDetails({ label, value }: { label: string; value: unknown }) {
  return (
    <details className={styles.details}>
      <summary className={styles.summary}>{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.json} tabIndex={0}>
        {visibleText(JSON.stringify(value, null, 2) ?? 'undefined')}
      </pre>
    </details>
  );
}
