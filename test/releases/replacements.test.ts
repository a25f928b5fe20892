import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/**
 * Files that store an item as a whole although it may exist: attributes that a later release has added are lost if this one
 * does it after a return. Each with the number of such writes, and why that is right.
 */
const replacing: Readonly<Record<string, readonly [writes: number, because: string]>> = {
  'lib/accounts/connection-store.ts': [
    2,
    'an entry that finds an account has no attributes but its ids, and a repair task is what has to be done now',
  ],
  'lib/automations/actions/noted-waits.ts': [1, 'a note says all that it is for'],
  'lib/automations/store.ts': [1, 'a change of an automation stores all that it says from then on'],
  'lib/calendar/entries.ts': [1, 'an entry of the calendar is computed from its target'],
  'lib/connections/store.ts': [1, 'a connection attempt lives for minutes and begins anew'],
  'lib/daily-limits/settle.ts': [1, 'a place is computed from its target'],
  'lib/incidents/store.ts': [1, 'the notes about platforms are computed anew each minute'],
  'lib/insights/sweep-accounts.ts': [1, 'a walk over the workspaces begins anew each day'],
  'lib/overdue/repair-tasks.ts': [1, 'a repair task is what has to be done now'],
  'lib/overdue/risk-checks.ts': [1, 'a check of waiting posts begins again from the first one'],
  'lib/people/members/invite.ts': [1, 'an invitation names a member, and nothing else'],
  'lib/pauses/manage.ts': [3, 'the repair task, and a copy of the pause that is stored with it'],
  'lib/posts/search/index-post.ts': [1, 'derived from the post, and written again from it'],
  'lib/posts/stored/commit-post.ts': [1, 'a use of a file has no attributes but its keys'],
  'lib/posts/edit.ts': [2, 'an edit plans a post and its targets anew from the request'],
  'lib/posts/stored/external-id-items.ts': [2, 'the item names a post, and nothing else'],
  'lib/posts/resolve.ts': [1, 'an entry of the calendar is computed from its target'],
  'lib/posts/retry.ts': [1, 'an entry of the calendar is computed from its target'],
  'lib/posts/roll-up.ts': [1, 'an entry of the list of posts at risk names a post, and nothing else'],
  'lib/posts/stored/store.ts': [1, 'an idempotency record replaces one that has expired'],
  'lib/targets/live-posts.ts': [1, 'a repair task is what has to be done now'],
  'lib/rhythm/store.ts': [1, 'the request sets the whole rhythm'],
  'lib/risks/check-ahead.ts': [1, 'the place of the checks in a shard is nothing but a time and a key'],
  'lib/webhooks/version-notices.ts': [1, 'a walk over the workspaces begins anew each day'],
};

/** The text of each call of a function that stores a whole item. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:putPart|putItem)\(/g)].flatMap(({ index }) => {
    if (/function $/.test(text.slice(0, index))) return [];
    let depth = 0;
    for (let at = text.indexOf('(', index); at < text.length; at += 1) {
      if (text[at] === '(') depth += 1;
      if (text[at] === ')') depth -= 1;
      if (depth === 0) return [text.slice(index, at + 1)];
    }
    return [];
  });
}

it('items are replaced as a whole only where a reason is written down', () => {
  const found = globSync('lib/**/*.ts', { cwd: root })
    .filter((file) => !/^lib\/table\//.test(file))
    .flatMap((file) => {
      const calls = callsIn(readFileSync(join(root, file), 'utf8'));
      const writes = calls.filter((call) => !/, \{ pk: absent \}/.test(call.replace(/\s+/g, ' '))).length;
      return writes > 0 ? [[file.split('\\').join('/'), writes] as const] : [];
    });
  const expected = Object.entries(replacing).map(([file, [writes]]) => [file, writes] as const);
  expect(Object.fromEntries(found.sort())).toEqual(Object.fromEntries(expected));
});
