import { eventually, type Person } from './person.ts';

/** Selects an identity of the demo in the page, which then reloads. */
export async function actAs({ page }: Person, label: string): Promise<void> {
  const choice = page.getByRole('combobox', { name: 'Signed in as (demo)' });
  await eventually(() => choice.isEnabled()).toBe(true);
  await Promise.all([page.waitForEvent('load'), choice.selectOption({ label })]);
  await eventually(() =>
    choice.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label),
  ).toBe(label);
}
