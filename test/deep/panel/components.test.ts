import { describe, expect } from 'vitest';
import { refusal, requestId } from '../../panel/support/fake-api.ts';
import { componentsTest, violationsIn } from '../../panel/support/panel.ts';

describe('the components', () => {
  componentsTest('pass axe-core in both themes', async ({ panel: { page, open } }) => {
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  componentsTest('have targets of at least 24 pixels', async ({ panel: { page, open } }) => {
    await open('/');
    await page.getByRole('button', { name: 'New key' }).waitFor();
    const small = await page.getByRole('button').evaluateAll((all) =>
      all
        .map((each) => ({ text: each.ariaLabel ?? each.textContent, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
        .map(({ text }) => text),
    );
    expect(small).toEqual([]);
  });
});

describe('a form', () => {
  componentsTest(
    'shows problems at their fields and the others above, and focuses the first',
    async ({ panel }) => {
      const { page, api, open } = panel;
      const problems = [
        { param: 'name', message: 'must not be empty' },
        { param: 'accountIds[1]', message: 'is no account of the workspace' },
        { param: 'expiresAt', message: 'is in the past' },
      ];
      api.on('POST /panel/keys', refusal(400, 'invalid', '3 fields are wrong', problems));
      await open('/');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      const name = page.getByRole('textbox', { name: 'Name' });
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await page.getByText('Must not be empty.').count()).toBe(1);
      expect(await page.getByText('Is no account of the workspace.').count()).toBe(1);
      const alert = page.getByRole('dialog').getByRole('alert');
      expect(await alert.innerText()).toContain('expiresAt is in the past');
      expect(await alert.innerText()).toContain(requestId);
      expect(await violationsIn(page)).toEqual([]);
    },
  );

  componentsTest(
    'says that a request failed, and never sends a change twice by itself',
    async ({ panel }) => {
      const { page, api, open } = panel;
      api.on('POST /panel/keys', { status: 0, isDropped: true });
      await open('/');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByText('The service did not answer.').waitFor();
      await expect.poll(() => api.to('POST /panel/keys')).toHaveLength(1);
    },
  );

  componentsTest(
    'shows that it is being sent, and cannot be sent twice',
    async ({ panel: { page, api, open } }) => {
      const answer = Promise.withResolvers<ReturnType<typeof refusal>>();
      api.on('POST /panel/keys', () => answer.promise);
      await open('/');
      await page.getByRole('button', { name: 'New key' }).click();
      const button = page.getByRole('button', { name: 'Create key' });
      const before = await button.boundingBox();
      await button.click();
      await page.locator('[data-pending]').waitFor();
      expect((await page.locator('[data-pending]').boundingBox())?.width).toBe(before?.width);
      await page.keyboard.press('Enter');
      answer.resolve(refusal(409, 'conflict', 'no'));
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await expect.poll(() => api.to('POST /panel/keys')).toHaveLength(1);
    },
  );
});

describe('a dialog', () => {
  componentsTest('gives the focus back, and does not confirm by Enter', async ({ panel: { page, open } }) => {
    await open('/');
    const menu = page.getByRole('button', { name: 'Actions for Key 1' });
    await menu.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitem', { name: 'Revoke key' }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Revoke the key?' });
    await dialog.waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Your new key').inputValue()).toBe('none');
    await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('a toast', () => {
  componentsTest('is read out, and can be undone', async ({ panel: { page, open } }) => {
    await open('/');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('region', { name: 'Notices' }).getByText('Moved').waitFor();
    // Below the pointer it stays for as long as somebody needs.
    await page.getByRole('region', { name: 'Notices' }).getByText('Moved').hover();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByLabel('Your new key').inputValue()).toBe('undone');
    expect(await page.getByText('Moved').count()).toBe(0);
  });
});

describe('a time', () => {
  componentsTest(
    'names the zone of the workspace, and the own time if it differs',
    async ({ panel: { page, open } }) => {
      await open('/');
      const text = await page
        .getByRole('cell')
        .filter({ has: page.locator('time') })
        .first()
        .innerText();
      // The test's browser is in UTC.
      expect(text.split('\n')).toEqual(['3 Mar 2026, 00:30 CET', '2 Mar 2026, 23:30 your time']);
    },
  );
});
