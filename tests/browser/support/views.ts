import { rowsOfThisRun } from '../../support/matrix.ts';
import { type View, viewports } from '../launch.ts';

type NamedView = View & { readonly name: string; readonly viewport: NonNullable<View['viewport']> };

const views: readonly NamedView[] = [
  { name: 'light, desktop', colorScheme: 'light', viewport: viewports.desktop },
  { name: 'dark, desktop', colorScheme: 'dark', viewport: viewports.desktop },
  { name: 'light, 320 pixels', colorScheme: 'light', viewport: viewports.narrow },
  { name: 'dark, 320 pixels', colorScheme: 'dark', viewport: viewports.narrow },
];

/** The views in which a page is checked: in `npm test` each colour scheme and each width once, the others in the matrix. */
export const viewsOfThisRun = rowsOfThisRun(views, (_, index) => index === 0 || index === 3);

/** The same and the system's high contrast, which is in `npm test`. */
export const everyViewOfThisRun = rowsOfThisRun<NamedView>(
  [...views, { name: 'forced colors', forcedColors: 'active', viewport: viewports.desktop }],
  (_, index) => index === 0 || index >= 3,
);
