import { visibleText } from 'countersign/react';
import { Button } from '../../_ui/button.tsx';
import { Icon } from '../../_ui/icon.tsx';
import type { ChatMessage } from './chat-message.ts';
import styles from './message-footer.module.css';

/** The footer of an answer: its sources, and a button to regenerate it. */
export function MessageFooter({
  message,
  onRegenerate,
}: {
  message: ChatMessage;
  onRegenerate: (() => void) | undefined;
}) {
  const sources = message.parts.flatMap((part) => (part.type === 'source-url' ? [part] : []));
  if (sources.length === 0 && onRegenerate === undefined) return null;
  return (
    <footer className={styles.footer}>
      {sources.length > 0 && (
        <ol className={styles.sources} aria-label="Sources">
          {sources.map(({ sourceId, url, title }) => (
            <li key={sourceId}>
              <SourceLink url={url} title={title} />
            </li>
          ))}
        </ol>
      )}
      {onRegenerate !== undefined && (
        <Button kind="quiet" className={styles.again} onClick={onRegenerate}>
          <Icon name="retry" size={16} />
          Regenerate
        </Button>
      )}
    </footer>
  );
}

function SourceLink({ url, title }: { url: string; title: string | undefined }) {
  // A model's URL is not to be trusted with a scheme of its choice.
  if (!/^https?:/i.test(url)) return <span>{visibleText(title ?? url)}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {visibleText(title ?? url)}
    </a>
  );
}
