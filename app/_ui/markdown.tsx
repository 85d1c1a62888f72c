import { type ComponentType, lazy, Suspense } from 'react';
import styles from './markdown.module.css';

// A page that cannot load it stays readable.
const loadProse = (): Promise<{ default: ComponentType<{ text: string }> }> =>
  import('./markdown-prose.tsx').catch(() => ({ default: Paragraphs }));
const MarkdownProse = lazy(loadProse);

/** Loads the code for Markdown, so that it is there when the first text comes. */
export function loadMarkdown(): void {
  void loadProse();
}

/** What can be more than text in Markdown. */
const syntax = /[*_`#~|<>[\]\\&@]|:\/\/|www[.]|^\s*([-+]|\d+[.)])(\s|$)|^ *[=-]+ *$|^( {4}|\t)| {2}$/m;

/**
 * Text of a model as prose. Raw HTML stays text; URLs with unsafe schemes are dropped. The code for Markdown is loaded for a text that
 * needs it.
 */
export function Markdown({ text }: { text: string }) {
  if (!syntax.test(text)) return <Paragraphs text={text} />;
  return (
    <Suspense fallback={<Paragraphs text={text} />}>
      <MarkdownProse text={text} />
    </Suspense>
  );
}

/** A text without Markdown. Any text until the code for Markdown is loaded, and if it cannot be. */
function Paragraphs({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/).map((paragraph, index) => ({ id: `${index}`, paragraph }));
  return (
    <div className={styles.prose}>
      {paragraphs.map(({ id, paragraph }) => (
        <p key={id}>{paragraph}</p>
      ))}
    </div>
  );
}
