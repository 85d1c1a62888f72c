'use client';

import type { ReactNode } from 'react';
import { createContext, useContext } from 'react';
import type { IconName } from '../_ui/icon.tsx';
import { IconButton } from '../_ui/icon-button.tsx';
import type { Theme } from './theme.ts';
import { useTheme } from './use-theme.ts';

const icons: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };

const ThemeContext = createContext<readonly [Theme, () => void]>(['system', () => undefined]);

/** Keeps the chosen theme above the pages, so that it survives their change. */
export function ThemeProvider({ initial, children }: { initial: Theme; children: ReactNode }) {
  const [theme, advance] = useTheme(initial);
  return <ThemeContext value={[theme, advance]}>{children}</ThemeContext>;
}

/** Steps through the themes: as the system, light, dark. */
export function ThemeSwitch() {
  const [theme, advance] = useContext(ThemeContext);
  return (
    <IconButton icon={icons[theme]} label={`Theme: ${theme}`} data-theme-choice={theme} onClick={advance} />
  );
}
