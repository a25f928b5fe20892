import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../../../lib/panel/pages/calendar/entries.ts';
import { entriesOf as nextEntriesOf } from '../../../lib/panel/pages/now/next-day.ts';
import {
  type Condition,
  conditionOfPost,
  conditionOfTarget,
  lookOf,
} from '../../../lib/panel/posts/state.ts';
import { words } from '../../../lib/panel/words/words.ts';
import { instagram, linkedin, tiktok } from '../support/accounts.ts';
import { failedTargetOf, liveTargetOf } from '../support/post-page.ts';
import { listedPostOf, targetOf } from '../support/posts.ts';

const now = Date.now();
const at = new Date(now + 3_600_000).toISOString();
const accounts = new Map([instagram, linkedin, tiktok].map((account) => [account.id, account]));
const known = { accounts, now };
const live = liveTargetOf(linkedin, at, 1, { scheduledFor: null });
const removal = {
  state: 'removed',
  by: 'person',
  requestedAt: null,
  error: null,
  errorDetail: null,
} as const;
const removed = { ...live, removal, removedAt: at };
const requestedBy = { kind: 'key', id: instagram.id } as const;

const cases: readonly (readonly [Condition, Parameters<typeof listedPostOf>[1]])[] = [
  ['draft', { status: 'draft', platforms: [targetOf(instagram, { status: 'draft' })] }],
  ['scheduled', { platforms: [targetOf(instagram), targetOf(linkedin)] }],
  ['atRisk', { platforms: [targetOf(instagram), targetOf(tiktok)] }],
  ['publishing', { status: 'publishing', platforms: [targetOf(instagram, { status: 'publishing' }), live] }],
  ['publishing', { status: 'publishing', platforms: [live, targetOf(instagram)] }],
  ['published', { status: 'published', platforms: [live] }],
  ['partial', { status: 'partial', platforms: [failedTargetOf(instagram, 'content'), live] }],
  ['partial', { status: 'partial', platforms: [failedTargetOf(instagram, 'content'), removed] }],
  ['failed', { status: 'failed', platforms: [failedTargetOf(instagram, 'content')] }],
  ['unknown', { status: 'partial', platforms: [failedTargetOf(instagram, 'unknown'), live] }],
  ['published', { status: 'published', platforms: [live, { ...removed, accountId: instagram.id }] }],
  ['removed', { status: 'published', platforms: [removed] }],
];

describe('the state of a post', () => {
  it.each(cases)('is %s in the calendar, on the first page and on its own', (condition, changes) => {
    const post = listedPostOf(1, { scheduledFor: at, ...changes });
    expect(conditionOfPost(post, known)).toBe(condition);
    expect(entriesOf(post, known).map((entry) => entry.condition)).toEqual([condition]);
    expect(nextEntriesOf([post], known).map((entry) => entry.condition)).toEqual([condition]);
  });

  it('is that somebody has to approve it, for a draft that waits for that', () => {
    const approval = {
      state: 'waiting' as const,
      requestedAt: at,
      requestedBy,
      decidedAt: null,
      decidedBy: null,
      note: null,
      version: 1,
    };
    const post = listedPostOf(1, { status: 'draft', scheduledFor: at, approval });
    expect(conditionOfPost(post)).toBe('proposed');
    expect(entriesOf(post).map((entry) => entry.condition)).toEqual(['proposed']);
  });

  it('is not at risk for an account without access once the destination is live', () => {
    expect(conditionOfTarget(liveTargetOf(tiktok, at, 1), known, at)).toBe('published');
  });
});

describe('the name of a state', () => {
  const names = Object.keys(words.post.states) as Condition[];

  it('is short enough for a card of the month, and belongs to one state', () => {
    const all = names.map((name) => lookOf(name).word);
    expect(all.filter((word) => word.length > 11)).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('is written in one place: the words of pages take it from there', () => {
    const directory = 'lib/panel/words/english';
    const others =
      /'(Partly|Partly published|At risk|Outcome unknown|Unconfirmed|Taken down|To approve|Partly live)'/;
    const found = readdirSync(directory).flatMap((file) =>
      readFileSync(join(directory, file), 'utf8')
        .split('\n')
        .filter((line) => others.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([
      "post.ts: proposed: 'To approve',",
      "post.ts: atRisk: 'At risk',",
      "post.ts: partial: 'Partly live',",
      "post.ts: unknown: 'Unconfirmed',",
      "post.ts: removed: 'Taken down',",
    ]);
  });
});
