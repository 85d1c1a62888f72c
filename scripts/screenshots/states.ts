import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { viewports } from '../../tests/browser/launch.ts';
import type { Person } from '../../tests/browser/support/person.ts';
import { indexPage, type Picture } from './index-page.ts';
import { photograph, type Studio } from './studio.ts';
import { walks } from './walks.ts';

const widths = { desktop: viewports.desktop, phone: viewports.phone };
const themes = ['light', 'dark'] as const;

/**
 * Takes each state of each page in each width and theme, and writes the page that shows all of them. A walk that
 * fails ends only itself: its later states are missing, and the exit code is 1.
 *
 * @param folder is emptied first
 */
export async function takeStates(studio: Studio, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const pictures: Picture[] = [];

  for (const { page: pageName, walk } of walks) {
    const take = async ({ page }: Person, state: string, height?: number) => {
      for (const [width, viewport] of Object.entries(widths)) {
        await page.setViewportSize({ ...viewport, height: height ?? viewport.height });
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme });
          const file = `${slugOf(pageName)}.${slugOf(state)}.${width}.${theme}.png`;
          await photograph(page, join(folder, file));
          pictures.push({ page: pageName, state, width, theme, file });
        }
      }
      await page.setViewportSize(viewports.desktop);
      await page.emulateMedia({ colorScheme: 'light' });
      console.log(`${pageName}: ${state}`);
    };
    try {
      await walk(studio, take);
    } catch (error) {
      console.error(`${pageName}: the walk has failed.`, error);
      process.exitCode = 1;
    }
  }

  await writeFile(join(folder, 'index.html'), indexPage(pictures));
  console.log(`${pictures.length} pictures: ${join(folder, 'index.html')}`);
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/\W+/g, '-');
}
