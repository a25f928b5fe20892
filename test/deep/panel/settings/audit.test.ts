import { describe, expect } from 'vitest';
import {
  auditPage,
  beMember,
  entryOf,
  hostile,
  id,
  keyOf,
  max,
  you,
} from '../../../panel/settings/support/data.ts';
import { dateField, enterDate } from '../../../panel/support/date-fields.ts';
import { ok, refusal } from '../../../panel/support/fake-api.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const path = '/settings/audit';
const members = ok({ members: [you, max] });
const keys = ok({ keys: [keyOf(11, { name: 'CI' })] });
const byMax = { kind: 'person', id: 'person-2' } as const;
const byOperator = { kind: 'operator', id: 'ada' } as const;

const cases = [
  [entryOf(1), 'Olga Owner created a post', 'post.create'],
  [
    entryOf(2, { actor: { kind: 'key', id: id(11) }, verb: 'post.edit' }),
    'CI edited a post',
    'post.edit · API key',
  ],
  [
    entryOf(3, { actor: byOperator, verb: 'workspace.suspend' }),
    'ada suspended the workspace',
    'workspace.suspend · Operator',
  ],
  [
    entryOf(4, {
      actor: byMax,
      verb: 'key.revoke',
      outcome: 'refused',
      subjectId: null,
      note: 'this needs the role "owner" (key.revoke)',
    }),
    'Max Member tried to revoke an API key',
    'This needs the role "owner" (key.revoke).',
  ],
  [
    entryOf(5, { verb: 'board.create', outcome: 'begun' }),
    'Olga Owner began to create a board',
    'It began with this entry, and may have failed.',
  ],
  [entryOf(6, { verb: 'account.connect' }), 'Olga Owner began to connect an account', 'account.connect'],
  [
    entryOf(7, { verb: 'account.connect', accountIds: [id(1), id(2)] }),
    'Olga Owner connected 2 accounts',
    'account.connect',
  ],
  [entryOf(8, { actor: { kind: 'person', id: 'person-9' } }), 'A former member created a post', 'person-9'],
  [
    entryOf(9, { actor: { kind: 'key', id: id(77) }, verb: 'post.merge' }),
    'An unknown key did “post.merge”',
    id(77),
  ],
] as const;

describe('the audit log', () => {
  panelTest('says in sentences who did what', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /v1/audit', auditPage(cases.map(([entry]) => entry)))
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await open(path);
    await page.getByText('CI edited a post').waitFor();
    for (const [place, [, sentence, more]] of cases.entries()) {
      const row = await page
        .getByRole('row')
        .nth(place + 1)
        .textContent();
      expect(row).toContain(sentence);
      expect(row).toContain(more);
    }
    expect(await page.getByRole('row').nth(1).innerText()).toContain('2 Mar 2026, 10:30 CET');
    expect(await page.getByText('Done', { exact: true }).count()).toBe(7);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('copies the ids of subject and request', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /v1/audit', auditPage([entryOf(1)]))
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(path);
    for (const [name, text] of [
      ['Copy subject id', entryOf(1).subjectId],
      ['Copy request id', entryOf(1).requestId],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
  });

  panelTest('keeps its filters in the URL, and asks for days of the workspace', async ({ panel }) => {
    const { page, api, open } = panel;
    api
      .on('GET /v1/audit', auditPage([entryOf(1)]))
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await open(path);
    await page.getByRole('combobox', { name: 'Who' }).fill('max');
    await page.getByRole('option', { name: /Max Member/ }).click();
    await page.getByRole('combobox', { name: 'What' }).fill('revoke an');
    await page.getByRole('option', { name: 'Revoke an API key' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await enterDate(dateField(page, 'From'), '2026-03-28');
    await enterDate(dateField(page, 'To'), '2026-03-29');
    const wanted = { actor: 'person-2', verb: 'key.revoke', from: '2026-03-28', to: '2026-03-29' };
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(wanted);
    // Berlin loses an hour on the 29th, so its two days have 47.
    const asked = {
      limit: '100',
      actor: 'person-2',
      verb: 'key.revoke',
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    };
    const last = () => Object.fromEntries(api.to('GET /v1/audit').at(-1)?.query ?? []);
    await expect.poll(last).toEqual(asked);
    await page.reload();
    await expect.poll(() => page.getByRole('combobox', { name: 'Who' }).inputValue()).toBe('Max Member');
    expect(await page.getByRole('combobox', { name: 'What' }).inputValue()).toBe('Revoke an API key');
    await expect.poll(last).toEqual(asked);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(last).toEqual({ limit: '100' });
    expect(await page.getByRole('combobox', { name: 'Who' }).inputValue()).toBe('Anybody');
  });

  panelTest('keeps both of two filters that change at once', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /v1/audit', auditPage([entryOf(1)]))
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await open(path);
    // All but the first part of each.
    for (const name of ['From', 'To']) {
      await dateField(page, name).getByRole('spinbutton').nth(1).focus();
      await page.keyboard.type('032026');
    }
    await page.getByRole('spinbutton', { name: 'day' }).evaluateAll((days) => {
      for (const [place, day] of days.entries()) {
        day.focus();
        for (const data of ['2', String(8 + place)])
          day.dispatchEvent(
            new InputEvent('beforeinput', {
              data,
              inputType: 'insertText',
              bubbles: true,
              cancelable: true,
            }),
          );
      }
    });
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ from: '2026-03-28', to: '2026-03-29' });
  });

  panelTest('refuses a range that ends before it begins', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/members', members).on('GET /panel/keys', keys);
    await open(`${path}?from=2026-03-02&to=2026-03-01`);
    await page.getByText('This day is before the first.').waitFor();
    expect(api.to('GET /v1/audit')).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('loads more, up to 2,000 entries', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /v1/audit', ({ query }) => {
        const first = Number(query.get('cursor') ?? 0);
        const entries = Array.from({ length: 500 }, (_, place) => entryOf(1_000 + first + place));
        return auditPage(entries, first < 1_500 ? String(first + 500) : null);
      })
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await open(path);
    const loadMore = page.getByRole('button', { name: 'Load more' });
    for (const shown of ['500 entries so far', '1,000 entries so far', '1,500 entries so far']) {
      await page.getByText(shown).waitFor();
      // The new entries follow those in sight. The list does not move.
      await loadMore.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => window.scrollY);
      await loadMore.press('Enter');
      await page.getByText(shown).waitFor({ state: 'detached' });
      expect(await page.evaluate(() => window.scrollY)).toBe(before);
    }
    await page.getByText('2,000 entries', { exact: true }).waitFor();
    expect(await loadMore.count()).toBe(0);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('2001');
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    expect(await scrollsSideways(page)).toBe(false);
  });

  panelTest(
    'says why the next page did not load, and keeps the others',
    async ({ panel: { page, api, open } }) => {
      api
        .on('GET /v1/audit', ({ query }) =>
          query.has('cursor') ? refusal(500, 'internal', 'internal error') : auditPage([entryOf(1)], 'next'),
        )
        .on('GET /panel/members', members)
        .on('GET /panel/keys', keys);
      await open(path);
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByRole('alert').getByText('Internal error.').waitFor();
      await page.getByText('Olga Owner created a post').waitFor();
    },
  );

  panelTest('searches older entries while pages are empty, ten at a time', async ({ panel }) => {
    const { page, api, open } = panel;
    api
      .on('GET /v1/audit', ({ query }) => {
        const place = Number(query.get('cursor') ?? 0);
        return place < 14 ? auditPage([], String(place + 1)) : auditPage([entryOf(1, { actor: byMax })]);
      })
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await open(`${path}?actor=person-2`);
    await page.getByRole('heading', { name: 'Nothing among these entries' }).waitFor();
    await expect.poll(() => api.to('GET /v1/audit')).toHaveLength(10);
    await page.getByRole('button', { name: 'Search older entries' }).click();
    await page.getByText('Max Member created a post').waitFor();
    await expect.poll(() => api.to('GET /v1/audit')).toHaveLength(15);
  });

  panelTest('says that there is nothing, or that nothing matches', async ({ panel: { page, api, open } }) => {
    api.on('GET /v1/audit', auditPage([])).on('GET /panel/members', members).on('GET /panel/keys', keys);
    await open(path);
    await page.getByRole('heading', { name: 'Nothing has been changed yet' }).waitFor();
    await open(`${path}?verb=post.create`);
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('heading', { name: 'Nothing has been changed yet' }).waitFor();
  });

  panelTest(
    'says why it did not load, and loads when asked again',
    async ({ panel: { page, api, open } }) => {
      api
        .on('GET /v1/audit', refusal(500, 'internal', 'internal error'))
        .on('GET /panel/members', members)
        .on('GET /panel/keys', keys);
      await open(path);
      await page.getByRole('heading', { name: 'This did not load' }).waitFor();
      api.on('GET /v1/audit', auditPage([entryOf(1)]));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Olga Owner created a post').waitFor();
    },
  );

  panelTest('shows hostile names and notes as text, at 320 px', async ({ panel: { page, api, open } }) => {
    const notes = Object.values(hostile);
    api
      .on(
        'GET /v1/audit',
        auditPage(
          notes.map((note, place) => entryOf(place, { actor: { kind: 'operator', id: note }, note })),
        ),
      )
      .on('GET /panel/members', members)
      .on('GET /panel/keys', keys);
    await page.setViewportSize({ width: 320, height: 700 });
    await open(path);
    for (const note of notes) await page.getByText(note, { exact: true }).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('is nothing for members', async ({ panel: { page, api, open } }) => {
    beMember(api);
    await open(path);
    await page.getByRole('heading', { name: 'This address leads nowhere' }).waitFor();
    expect(api.to('GET /v1/audit')).toEqual([]);
  });
});
