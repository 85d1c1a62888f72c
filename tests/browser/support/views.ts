import { rowsOfThisRun } from '../../support/matrix.ts';
import { type View, viewports } from '../launch.ts';

type NamedView = View & { readonly name: string; readonly viewport: NonNullable<View['viewport']> };

const views: readonly NamedView[] = [
  { name: 'light, desktop', colorScheme: 'light', viewport: viewports.desktop },
  { name: 'dark, desktop', colorScheme: 'dark', viewport: viewports.desktop },
  { name: 'light, 320 pixels', colorScheme: 'light', viewport: viewports.narrow },
  { name: 'dark, 320 pixels', colorScheme: 'dark', viewport: viewports.narrow },
];

/** The views of every page: in `npm test` the narrowest and dark one, the others in the matrix. */
export const viewsOfThisRun = rowsOfThisRun(views, (_, index) => index === 3);

/** The same and the system's high contrast, which is in the matrix. */
export const everyViewOfThisRun = rowsOfThisRun<NamedView>(
  [...views, { name: 'forced colors', forcedColors: 'active', viewport: viewports.desktop }],
  (_, index) => index === 3,
);
