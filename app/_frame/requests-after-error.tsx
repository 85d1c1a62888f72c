import { lazy, Suspense } from 'react';

// Only a page that fails needs it. Without it, that page still says what to do.
const PlainRequests = lazy(() => import('./plain-requests.ts').catch(() => ({ default: () => null })));

/** The requests that can be read and denied on a page that could not be shown. */
export function RequestsAfterError() {
  return (
    <Suspense>
      <PlainRequests />
    </Suspense>
  );
}
