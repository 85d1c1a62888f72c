import type { ReactNode } from 'react';
import { joinClasses } from '../_ui/join-classes.ts';
import { PageHeader } from './page-header.tsx';
import layout from './page-layout.module.css';
import styles from './screen.module.css';

/**
 * A page with a header and one column that scrolls. `actions` are in the header.
 *
 * @param props.className may set `--screen-gap` and `--screen-width`
 */
export function Screen({
  title,
  actions,
  className,
  children,
}: {
  title: string;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={joinClasses(layout.page, className)}>
      <PageHeader title={title}>{actions}</PageHeader>
      <main className={styles.main}>
        <div className={styles.column}>{children}</div>
      </main>
    </div>
  );
}
