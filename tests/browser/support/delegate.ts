import type { Page } from 'playwright-core';

/** Hands over the right to answer for one tool, on the page of delegations, for the time that it suggests. */
export async function delegate(
  page: Page,
  { to, tool, note }: { readonly to: string; readonly tool: string; readonly note?: string },
): Promise<void> {
  await page.getByRole('searchbox', { name: /^To/ }).fill(to.slice(0, 2).toLowerCase());
  await page.getByRole('list', { name: 'People found' }).getByRole('button', { name: to }).click();
  await page.getByText(`${to} is chosen.`).waitFor();
  await page.getByLabel('For', { exact: true }).selectOption(tool);
  if (note !== undefined) await page.getByLabel(/^Note/).fill(note);
  await page.getByRole('button', { name: 'Delegate' }).click();
  await page.getByText(`${to} can now answer for you.`).waitFor();
}

/** Ends a delegation that was given on the page of delegations. */
export async function revoke(page: Page, to: string): Promise<void> {
  const what = `${to} answers for you`;
  await page.getByRole('button', { name: `Revoke: ${what}` }).click();
  await page.getByText(`${what} has ended.`).waitFor();
}
