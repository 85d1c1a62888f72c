import { Button } from '../../_ui/button.tsx';
import styles from './introduction.module.css';

const prompts = [
  'search files for approval',
  'call the flaky service',
  'call the broken service',
  'Pay Alice 30 and Bob 40',
];

/** What this page is, and some messages to begin with. */
export function Introduction({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <div className={styles.introduction}>
      <h2 className={styles.heading}>Each tool call appears inline, from start to result.</h2>
      <p className={styles.lead}>
        The same assistant over <code>POST /api/dialects/tool-events</code>. Tool status streams as it
        changes.
      </p>
      <ul className={styles.prompts}>
        {prompts.map((prompt) => (
          <li key={prompt}>
            <Button onClick={() => onChoose(prompt)}>{prompt}</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
