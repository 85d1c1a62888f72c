'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { CardPlugin } from './card-plugin.ts';

const CardPluginsContext = createContext<readonly CardPlugin[]>([]);

/**
 * Adds parts of plugins to all cards and inboxes below it.
 *
 * @param plugins in the order of their parts, for example `[votesCard(), rememberedCard()]`. Create the list once, outside
 *   of components
 * @source ADR 0056.16
 */
export function CardPluginsProvider({
  plugins,
  children,
}: {
  plugins: readonly CardPlugin[];
  children?: ReactNode;
}) {
  return <CardPluginsContext.Provider value={plugins}>{children}</CardPluginsContext.Provider>;
}

/** The plugins of the provider above. */
export const useCardPlugins = (): readonly CardPlugin[] => useContext(CardPluginsContext);
