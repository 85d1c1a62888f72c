'use client';

import { useState } from 'react';
import type { Theme } from './theme.ts';
import { themeCookie } from './theme.ts';

const yearSeconds = 31_536_000;
const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** The chosen theme and the step to the next one. */
export function useTheme(initial: Theme): readonly [Theme, () => void] {
  const [theme, setTheme] = useState(initial);
  const advance = () => {
    const chosen = next[theme];
    document.documentElement.dataset.theme = chosen;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `${themeCookie}=${chosen}; path=/; max-age=${yearSeconds}; samesite=strict`;
    setTheme(chosen);
  };
  return [theme, advance];
}
