/** Colours to use: those of the system, or always light or dark ones. */
export type Theme = 'system' | 'light' | 'dark';

/** Name of the cookie that keeps the choice; the server reads it, so that no page flashes in wrong colours. */
export const themeCookie = 'countersign-theme';

/** Reads a theme from a cookie or attribute; anything unknown is the system's. */
export function parseTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
