import Link from 'next/link';
import type { ReactNode } from 'react';
import { Screen } from '../../_frame/screen.tsx';
import styles from './docs-page.module.css';
import { groups, readDocuments } from './documents.ts';
import type { Heading } from './outline.ts';

/** The frame of the documentation: its title line, and a column to read in. */
export function DocsPage({ children }: { children: ReactNode }) {
  return (
    <Screen title="Documentation" className={styles.screen}>
      {children}
    </Screen>
  );
}

/** All documents, by group. */
export async function DocumentList() {
  const documents = await readDocuments(process.cwd());
  return groups.map((group) => {
    const members = documents.filter((document) => document.group === group);
    if (members.length === 0) return null;
    return (
      <section key={group} className={styles.group}>
        <h2 className={styles.heading}>{group}</h2>
        <ul className={styles.list}>
          {members.map(({ href, title, about }) => (
            <li key={href}>
              <Link className={styles.entry} href={href} prefetch={false}>
                {title}
              </Link>
              <p className={styles.about}>{about}</p>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

/** The way back to the list, and the sections of this document. */
export function DocumentWays({ outline }: { outline: readonly Heading[] }) {
  const sections = outline.filter(({ level }) => level === 2);
  return (
    <nav className={styles.ways} aria-label="Documentation">
      <Link className={styles.back} href="/docs" prefetch={false}>
        All documents
      </Link>
      {sections.length > 2 && (
        <details>
          <summary className={styles.summary}>On this page</summary>
          <ul className={styles.sections}>
            {sections.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}
