import type { ReactNode } from 'react';
import 'countersign/react/styles.css';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" style={{ colorScheme: 'light dark', fontFamily: 'system-ui' }}>
      <body>{children}</body>
    </html>
  );
}
