import Link from 'next/link';
import styles from './inbox-views.module.css';

const views = [
  { href: '/inbox', label: 'Open' },
  { href: '/inbox/settled', label: 'Decided' },
] as const;

/**
 * Leads between the open and the decided requests.
 *
 * @param search the filter as a query, which both views understand
 */
export function InboxViews({ current, search }: { current: (typeof views)[number]['href']; search: string }) {
  return (
    <nav className={styles.views} aria-label="Requests">
      {views.map(({ href, label }) => (
        <Link
          key={href}
          href={`${href}${search}`}
          prefetch={false}
          {...(href === current && { 'aria-current': 'page' as const })}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
