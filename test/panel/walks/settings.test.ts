import { describe, expect } from 'vitest';
import {
  agents,
  auditPage,
  beMember,
  entryOf,
  invited,
  keyOf,
  max,
  memberOf,
  sessionOf,
  workspaceOf,
  you,
} from '../settings/support/data.ts';
import { signIn, wantSignIn } from '../settings/support/signing-in.ts';
import { ok, refusal } from '../support/fake-api.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const members = ok({ members: [you, max, invited] });

describe('the settings of a workspace', () => {
  walk('/settings/{-$tab}', 'change its name', async ({ page, api, open, inspect }) => {
    let workspace = workspaceOf();
    api
      .on('GET /v1/workspace', () => ok({ workspace }))
      .on('PATCH /v1/workspace', ({ body }) => {
        workspace = workspaceOf(body as object);
        return ok({ workspace, warnings: [] });
      });
    await open('/settings');
    await page.getByText('3 Nov 2025, 11:15 CET').waitFor();
    await inspect();
    await page.getByRole('textbox', { name: 'Name' }).fill('Südlicht');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
    await expect
      .poll(() => api.to('PATCH /v1/workspace').map(({ body }) => body))
      .toEqual([{ name: 'Südlicht' }]);
  });

  walk('/settings/{-$tab}', 'turn the event feed on, and off after a question', async (panel) => {
    const { page, api, open, inspect } = panel;
    let workspace = workspaceOf();
    api
      .on('GET /v1/workspace', () => ok({ workspace }))
      .on('PATCH /v1/workspace', ({ body }) => {
        const { eventFeed } = body as { eventFeed: boolean };
        workspace = workspaceOf({ eventFeed, eventFeedSince: eventFeed ? '2026-02-01T09:00:00.000Z' : null });
        return ok({ workspace, warnings: [] });
      });
    await open('/settings');
    const feed = page.getByRole('switch', { name: /Record events/ });
    await feed.press('Space');
    await page.getByText(/Recorded since/).waitFor();
    await inspect();
    await feed.press('Space');
    const question = page.getByRole('alertdialog', { name: 'Turn the event feed off?' });
    await question.getByRole('button', { name: 'Turn off' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => feed.isChecked()).toBe(false);
    await expect
      .poll(() => api.to('PATCH /v1/workspace').map(({ body }) => body))
      .toEqual([{ eventFeed: true }, { eventFeed: false }]);
  });

  panelTest('hide the audit log from members', async ({ panel: { page, api, open } }) => {
    beMember(api);
    api.on('GET /v1/workspace', ok({ workspace: workspaceOf() }));
    await open('/settings');
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0);
  });
});

describe('the members', () => {
  walk('/settings/{-$tab}', 'are invited once the person has signed in again', async (panel) => {
    const { page, api, open, inspect } = panel;
    const ada = memberOf(9, { ...invited, email: 'ada@herald.example' });
    api.on('GET /panel/members', members);
    wantSignIn(
      api,
      'POST /panel/members',
      refusal(403, 'sign_in_again', 'this needs a sign-in within the last 10 minutes'),
      { status: 201, body: { member: ada, warnings: [] } },
    );
    await open('/settings/members');
    await page.getByRole('row').filter({ hasText: 'Max Member' }).waitFor();
    await inspect();
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('textbox', { name: 'Email address' }).fill('ada@herald.example');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await signIn(page, 'Confirm that it is you');
    await page.getByRole('dialog', { name: 'ada@herald.example is invited' }).waitFor();
    await expect
      .poll(() => api.to('POST /panel/members').at(-1)?.body)
      .toMatchObject({ email: 'ada@herald.example' });
  });
});

describe('the sessions', () => {
  walk('/settings/{-$tab}', 'end one by one', async ({ page, api, open, inspect }) => {
    const here = sessionOf(1, { isThis: true });
    const phone = sessionOf(2, { browser: agents.safari });
    api.on('GET /panel/sessions', ok({ sessions: [here, phone] })).on('DELETE /panel/sessions/{id}', () => {
      api.on('GET /panel/sessions', ok({ sessions: [here] }));
      return { status: 204 };
    });
    await open('/settings/sessions');
    await page.getByRole('row').filter({ hasText: 'Safari 19 on iPhone' }).waitFor();
    await inspect();
    await page.getByRole('button', { name: 'End session: Safari 19 on iPhone' }).click();
    const question = page.getByRole('alertdialog', { name: 'End this session?' });
    await question.getByRole('button', { name: 'End session' }).click();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Safari 19 on iPhone' }).count()).toBe(0);
    await expect
      .poll(() => api.to('DELETE /panel/sessions/{id}').map(({ path }) => path))
      .toEqual([`/panel/sessions/${phone.id}`]);
  });
});

describe('the audit log', () => {
  walk('/settings/{-$tab}', 'says who did what, and is filtered', async ({ page, api, open, inspect }) => {
    const byMax = { kind: 'person', id: 'person-2' } as const;
    const refused = {
      actor: byMax,
      verb: 'key.revoke',
      outcome: 'refused',
      subjectId: null,
      note: 'this needs the role "owner" (key.revoke)',
      count: 12,
      lastAt: '2026-03-02T09:59:00.000Z',
    } as const;
    const named = { verb: 'key.revoke', outcome: 'done', subjectName: 'CI' } as const;
    api
      .on('GET /v1/audit', auditPage([entryOf(1), entryOf(4, refused), entryOf(5, named)]))
      .on('GET /panel/members', members)
      .on('GET /panel/keys', ok({ keys: [keyOf(11, { name: 'CI' })] }));
    await open('/settings/audit');
    await page.getByText('Olga Owner created a post').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Max Member tried to revoke an API key' });
    await row.getByText('This needs the role "owner" (key.revoke).').waitFor();
    await row.getByText(/^12 times within an hour, last at/).waitFor();
    await page.getByText('Olga Owner revoked an API key: CI').waitFor();
    await inspect();
    await page.getByRole('combobox', { name: 'Who' }).fill('max');
    await page.getByRole('option', { name: /Max Member/ }).click();
    await expect.poll(() => api.to('GET /v1/audit').at(-1)?.query.get('actor')).toBe('person-2');
    expect(new URL(page.url()).searchParams.get('actor')).toBe('person-2');
  });
});

describe('the preferences', () => {
  walk('/settings/{-$tab}', 'set the theme of this browser', async ({ page, open, inspect }) => {
    await open('/settings/preferences');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect.poll(background).toBe('rgb(16, 17, 19)');
    await inspect();
    await page.reload();
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor({ state: 'attached' });
    await expect.poll(background).toBe('rgb(16, 17, 19)');
  });
});
