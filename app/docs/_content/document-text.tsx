import Link from 'next/link';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import markdown from '../../_ui/markdown.module.css';
import styles from './document-text.module.css';
import { headingIds } from './heading-ids.ts';
import { outlineOf } from './outline.ts';
import { type Shown, targetOf } from './targets.ts';

const plugins = [remarkGfm];

/**
 * A document of the project as prose. Its links lead to other documents here, its pictures are our own, and comments
 * are not shown. Its title is one level below the page's.
 *
 * @param file of the document, relative to the project's folder: what its links are relative to
 */
export function DocumentText({ text, file, shown }: { text: string; file: string; shown: Shown }) {
  const ids = outlineOf(text).map(({ id }) => id);
  return (
    <div className={`${markdown.prose} ${styles.document}`}>
      <ReactMarkdown
        remarkPlugins={plugins}
        rehypePlugins={[headingIds(ids)]}
        components={componentsFor(file, shown)}
        skipHtml
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

function componentsFor(file: string, shown: Shown): Components {
  return {
    a: ({ href = '', children }) => {
      const target = targetOf(href, file, shown);
      if (target.type === 'none') return <>{children}</>;
      if (target.href.startsWith('#')) return <a href={target.href}>{children}</a>;
      if (target.type !== 'page') {
        return (
          <a href={target.href} rel="noopener noreferrer">
            {children}
          </a>
        );
      }
      return (
        <Link href={target.href} prefetch={false}>
          {children}
        </Link>
      );
    },
    img: ({ src, alt = '' }) => {
      const target = targetOf(typeof src === 'string' ? src : '', file, shown);
      return target.type === 'picture' ? <Picture src={target.href} alt={alt} /> : alt;
    },
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
    table: ({ children }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <div className={markdown.scroller} tabIndex={0}>
        <table>{children}</table>
      </div>
    ),
    // Tables of Markdown cannot do without a head; ours may leave its cells empty.
    th: ({ children }) => (children === undefined ? <td /> : <th scope="col">{children}</th>),
    h1: 'h2',
    h2: 'h3',
    h3: 'h4',
    h4: 'h5',
  };
}

/** A drawing keeps the size that its words need, and scrolls where there is less room. */
function Picture({ src, alt }: { src: string; alt: string }) {
  // biome-ignore lint/performance/noImgElement: our own files, shown as they are
  const picture = <img src={src} alt={alt} />;
  if (!src.endsWith('.svg')) return picture;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <span className={styles.drawing} tabIndex={0}>
      {picture}
    </span>
  );
}
