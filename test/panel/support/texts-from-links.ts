import type { Page } from 'playwright-core';

/** A text that somebody puts into a link, so that a page seems to say it. */
export const sentence = (name: string) => `Your workspace was locked by ${name}, call +1 555 0100 at once`;
export const lure = /workspace was locked|555 0100/;

/** The texts that a page shows, without what is in the fields of searches, which is plainly what somebody looks for. */
export const textsOn = async (page: Page) =>
  [
    await page.title(),
    await page.locator('body').innerText(),
    ...(await page
      .locator('input:not([type=search]), textarea')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))),
  ].join('\n');
