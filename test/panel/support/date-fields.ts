import type { Locator, Page } from 'playwright-core';

/** A date or a time on the page: a field whose parts are typed one after the other. */
export const dateField = (scope: Page | Locator, label = 'Date'): Locator =>
  scope.getByRole('group', { name: label, exact: true });

/** Types a date. @param date `2027-03-14` */
export async function enterDate(field: Locator, date: string): Promise<void> {
  await enter(field, date.split('-').toReversed().join(''));
}

/** Types a time. @param time `09:30` */
export async function enterTime(field: Locator, time: string): Promise<void> {
  await enter(field, time.replace(':', ''));
}

/** Empties all parts of a date or a time, from the last one back, as a person does. */
export async function clear(field: Locator): Promise<void> {
  const parts = field.getByRole('spinbutton');
  await parts.last().focus();
  while ((await parts.first().getAttribute('aria-valuetext')) !== 'Empty')
    await field.page().keyboard.press('Backspace');
}

/** The parts go on to the next one by themselves. */
async function enter(field: Locator, digits: string): Promise<void> {
  const first = field.getByRole('spinbutton').first();
  await first.focus();
  await first.page().keyboard.type(digits);
}
