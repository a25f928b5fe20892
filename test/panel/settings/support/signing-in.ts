import type { Page } from 'playwright-core';
import { type FakeApi, type FakeReply, ok } from '../../support/fake-api.ts';
import { meOf } from '../../support/panel.ts';

/**
 * The service wants a sign-in before it answers a route: refuses it until the person has signed in, which takes one redirect.
 *
 * @param before why it refuses; after how it answers then
 */
export function wantSignIn(api: FakeApi, route: string, before: FakeReply, after: FakeReply): void {
  api.on(route, before).on('GET /panel/sign-in', ({ query }) => {
    const { session } = meOf();
    api
      .on('GET /panel/me', ok(meOf({ session: { ...session, signedInAt: '2026-03-02T12:00:00.000Z' } })))
      .on(route, after);
    return { status: 303, headers: { location: query.get('returnTo') ?? '/' } };
  });
}

/** Signs in, in the window that the dialog with this title opens. */
export async function signIn(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Sign in' }).click(),
  ]);
  if (!opened.isClosed()) await opened.waitForEvent('close');
  await dialog.waitFor({ state: 'detached' });
}
