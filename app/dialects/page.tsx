import type { Metadata } from 'next';
import { WiresScreen } from './wires-screen.tsx';

/** What the browser calls this page. */
export const metadata: Metadata = { title: 'Dialects' };

/** One message over each wire format of the product, side by side. */
export default function Page() {
  return <WiresScreen />;
}
