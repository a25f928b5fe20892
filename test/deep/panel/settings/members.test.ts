import { describe, expect } from 'vitest';
import { beMember, hostile, invited, max, memberOf, you } from '../../../panel/settings/support/data.ts';
import { signIn, wantSignIn } from '../../../panel/settings/support/signing-in.ts';
import { ok, refusal, requestId } from '../../../panel/support/fake-api.ts';
import { meOf, panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const path = '/settings/members';
const everybody = ok({ members: [you, max, invited] });
const ada = memberOf(9, { ...invited, email: 'ada@herald.example' });
const adaInvited = { status: 201, body: { member: ada, warnings: [] } };
const nothing = { status: 204 };

describe('the members of a workspace', () => {
  panelTest('are listed with role and state', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/members', everybody);
    await open(path);
    const rows = page.getByRole('table', { name: 'Members' }).getByRole('row');
    await rows.nth(3).waitFor();
    const texts = await rows.allInnerTexts();
    expect(texts.slice(1).map((text) => text.split('\n').filter(Boolean))).toEqual([
      [
        'Olga Owner',
        'owner@herald.example',
        'You',
        'Owner',
        'The only one',
        'Active',
        '13 Jan 2026, 16:30 CET',
        expect.any(String),
      ],
      ['Max Member', 'max@herald.example', 'Member', 'Active', '13 Jan 2026, 16:30 CET', expect.any(String)],
      ['new.colleague@herald.example', 'Member', 'Invited', '12 Jan 2026, 09:00 CET', expect.any(String)],
    ]);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('are invited by keyboard alone; the panel says what to tell them', async ({ panel }) => {
    const { page, api, open } = panel;
    api.on('GET /panel/members', everybody).on('POST /panel/members', adaInvited);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(path);
    await page.getByRole('button', { name: 'Invite member' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await page.keyboard.type('ada@herald.example');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const told = page.getByRole('dialog', { name: 'ada@herald.example is invited' });
    await told.waitFor();
    await expect
      .poll(() => api.to('POST /panel/members').map(({ body }) => body))
      .toEqual([{ email: 'ada@herald.example', role: 'owner' }]);
    const origin = new URL(page.url()).origin;
    expect(await told.getByLabel('Address of the panel', { exact: true }).inputValue()).toBe(origin);
    await told.getByRole('button', { name: 'Copy message' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `You are invited to “Nordlicht”. Open ${origin}, sign in with ada@herald.example, and accept the invitation within 14 days.`,
    );
    expect(await violationsIn(page)).toEqual([]);
    await told.getByRole('button', { name: 'Done' }).press('Enter');
    await told.waitFor({ state: 'detached' });
  });

  panelTest('are not invited twice: the field says why', async ({ panel: { page, api, open } }) => {
    const refused = refusal(
      409,
      'member_exists',
      'email: somebody with this address is a member or invited already',
    );
    api.on('GET /panel/members', everybody).on('POST /panel/members', refused);
    await open(path);
    await page.getByRole('button', { name: 'Invite member' }).click();
    const email = page.getByRole('textbox', { name: 'Email address' });
    await email.fill('max@herald.example');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('This address is a member, or invited, already.').waitFor();
    expect(await email.inputValue()).toBe('max@herald.example');
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true');
  });

  for (const [title, refused] of [
    [
      'Confirm that it is you',
      refusal(403, 'sign_in_again', 'this needs a sign-in within the last 10 minutes'),
    ],
    ['Your session has ended', refusal(401, 'session_ended', 'the session has ended')],
  ] as const) {
    panelTest(`are invited after “${title}”, with what was typed`, async ({ panel: { page, api, open } }) => {
      api.on('GET /panel/members', everybody);
      wantSignIn(api, 'POST /panel/members', refused, adaInvited);
      await open(path);
      await page.getByRole('button', { name: 'Invite member' }).click();
      await page.getByRole('textbox', { name: 'Email address' }).fill('ada@herald.example');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await signIn(page, title);
      await page.getByRole('dialog', { name: 'ada@herald.example is invited' }).waitFor();
      await expect.poll(() => api.to('POST /panel/members')).toHaveLength(2);
    });
  }

  panelTest('stay in the form if the person does not sign in', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/members', everybody)
      .on('POST /panel/members', refusal(403, 'sign_in_again', 'sign in'));
    await open(path);
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('textbox', { name: 'Email address' }).fill('ada@herald.example');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('Nothing was changed: it needs a recent sign-in.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Email address' }).inputValue()).toBe(
      'ada@herald.example',
    );
  });

  panelTest('get another role', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/members', everybody)
      .on('PATCH /panel/members/{id}', ok({ member: { ...max, role: 'owner' }, warnings: [] }));
    await open(path);
    await page.getByRole('button', { name: 'Actions for Max Member' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Change role' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Role of Max Member' });
    await dialog.getByRole('radio', { name: /^Owner/ }).check({ force: true });
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save role' }).click();
    await page.getByText('Max Member is now owner').waitFor();
    await expect
      .poll(() => api.to('PATCH /panel/members/{id}').map(({ path, body }) => [path, body]))
      .toEqual([[`/panel/members/${max.id}`, { role: 'owner' }]]);
  });

  panelTest('keep their only owner: the panel says why', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/members', everybody);
    await open(path);
    await page.getByText(/^Olga Owner is the only owner\./).waitFor();
    await page.getByRole('button', { name: 'Actions for Olga Owner' }).click();
    for (const name of [/^Change role/, /^Leave workspace/]) {
      const item = page.getByRole('menuitem', { name });
      expect(await item.getAttribute('aria-disabled')).toBe('true');
      expect(await item.innerText()).toContain('Make another member an owner first.');
    }
  });

  panelTest(
    'keep their only owner also if that changed meanwhile',
    async ({ panel: { page, api, open } }) => {
      const error =
        'member: the workspace would have no owner who has joined; make another member an owner first';
      api
        .on('GET /panel/members', ok({ members: [you, { ...max, role: 'owner' }] }))
        .on('DELETE /panel/members/{id}', refusal(409, 'last_owner', error));
      await open(path);
      await page.getByRole('button', { name: 'Actions for Max Member' }).click();
      await page.getByRole('menuitem', { name: 'Remove member' }).click();
      await page.getByRole('button', { name: 'Remove member' }).click();
      const said = await page.getByRole('alertdialog').getByRole('alert').innerText();
      expect(said).toContain('make another member an owner first');
      expect(said).toContain(requestId);
    },
  );

  panelTest('are removed, once somebody has read what stops', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/members', everybody).on('DELETE /panel/members/{id}', () => {
      api.on('GET /panel/members', ok({ members: [you, invited] }));
      return nothing;
    });
    await open(path);
    await page.getByRole('button', { name: 'Actions for Max Member' }).click();
    await page.getByRole('menuitem', { name: 'Remove member' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove Max Member?' });
    await dialog
      .getByText(/API keys stay and go on working; revoke the keys that the person knows/)
      .waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Max Member is no longer a member').waitFor();
    await page.getByText('max@herald.example').waitFor({ state: 'detached' });
    await expect
      .poll(() => api.to('DELETE /panel/members/{id}').map(({ path }) => path))
      .toEqual([`/panel/members/${max.id}`]);
  });

  panelTest(
    'are told again how to join, or lose their invitation',
    async ({ panel: { page, api, open } }) => {
      api.on('GET /panel/members', everybody).on('DELETE /panel/members/{id}', nothing);
      await open(path);
      const menu = page.getByRole('button', { name: 'Actions for new.colleague@herald.example' });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Show how to join' }).click();
      const told = page.getByRole('dialog', { name: 'How to join' });
      await told.getByText(/sign in with new\.colleague@herald\.example, and accept/).waitFor();
      await told.getByRole('button', { name: 'Done' }).click();
      await menu.click();
      await page.getByRole('menuitem', { name: 'Withdraw invitation' }).click();
      await page.getByRole('button', { name: 'Withdraw invitation' }).click();
      await page.getByText('new.colleague@herald.example is no longer invited').waitFor();
    },
  );

  panelTest('can leave; the panel then shows another workspace', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/members', ok({ members: [you, { ...max, role: 'owner' }] }))
      .on('DELETE /panel/membership', () => {
        api.on('GET /panel/me', ok(meOf({ workspaces: meOf().workspaces.slice(1) })));
        return nothing;
      });
    await open(path);
    await page.getByRole('button', { name: 'Actions for Olga Owner' }).click();
    await page.getByRole('menuitem', { name: 'Leave workspace' }).click();
    await page
      .getByRole('alertdialog', { name: 'Leave Nordlicht?' })
      .getByRole('button', { name: 'Leave workspace' })
      .click();
    await page.getByText('You have left Nordlicht').waitFor();
    await expect.poll(() => page.title()).toBe('Settings · Harbour · Herald');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  panelTest('see who works here, and change nothing', async ({ panel: { page, api, open } }) => {
    beMember(api);
    api.on('GET /panel/members', everybody);
    await open(path);
    await page.getByText('Owners invite people and change roles.').waitFor();
    expect(await page.getByRole('button', { name: /Invite/ }).count()).toBe(0);
    const actions = page.getByRole('button', { name: /Actions for/ });
    expect(await actions.count()).toBe(1);
    await actions.click();
    await page.getByRole('menuitem', { name: 'Leave workspace' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  panelTest('are found by their words among 200', async ({ panel: { page, api, open } }) => {
    const many = Array.from({ length: 198 }, (_, place) => memberOf(100 + place));
    api.on('GET /panel/members', ok({ members: [you, max, ...many] }));
    await open(path);
    await page.getByText('200 members').waitFor();
    const search = page.getByRole('searchbox', { name: 'Find a member' });
    await search.fill('member 297');
    await page.getByText('1 match', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await search.fill('zzz');
    await page.getByRole('button', { name: 'Show all members' }).click();
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('201');
  });

  panelTest('are still few: the next step is to invite', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/members', ok({ members: [you] }));
    await open(path);
    await page.getByRole('heading', { name: 'You work alone here' }).waitFor();
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
  });

  panelTest('may have any names, at 320 px', async ({ panel: { page, api, open } }) => {
    const names = Object.values(hostile);
    api.on(
      'GET /panel/members',
      ok({
        members: [
          you,
          ...names.map((name, place) =>
            memberOf(20 + place, { name, email: `${'x'.repeat(64)}${place}@example.com` }),
          ),
        ],
      }),
    );
    await page.setViewportSize({ width: 320, height: 700 });
    await open(path);
    for (const name of names) await page.getByText(name, { exact: true }).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });
});
