import type { ComponentProps } from 'react';
import { memo } from 'react';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import styles from './markdown.module.css';

const plugins = [remarkGfm];

/** Elements that need more than their tag: links leave, images do not load, wide things scroll. */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  // Loading an image would send data from the model's context to the image's server.
  img: ({ alt, src }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {alt === undefined || alt === '' ? 'Image' : alt}
    </a>
  ),
  input: ({ checked }) => <span aria-hidden="true">{checked === true ? '☑ ' : '☐ '}</span>,
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  // The page's own heading is above; models begin at any level.
  h1: 'h2',
  h3: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
};

/** @see Markdown */
export default memo(function MarkdownProse({ text }: { text: string }) {
  return (
    <div className={styles.prose}>
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

function ScrollingTable({ children }: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.scroller} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
