import type { ReactNode } from 'react';
import { Cards } from '../_frame/cards.tsx';

/** These pages show requests. */
export default function Layout({ children }: { children: ReactNode }) {
  return <Cards>{children}</Cards>;
}
