import type { Page } from 'playwright-core';

const square =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="teal"/></svg>';

/** Collects the browser's complaints, such as something that a policy blocked. The pictures of the simulators do not exist. */
export async function complaintsOf(page: Page): Promise<string[]> {
  await page.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.fulfill({ contentType: 'image/svg+xml', body: square }),
  );
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
