import { expect, it } from 'vitest';
import { accountItem } from '../../../lib/accounts/store.ts';
import { subjectOfChange } from '../../../lib/risks/subjects.ts';
import type { Item } from '../../../lib/table/items.ts';
import { aMedia, anAccount } from '../../support/builders.ts';

const workspaceId = '019ca9a0-4e00-7000-8000-000000000001';
const account = accountItem(anAccount(workspaceId));
const media: Item = { kind: 'media', ...aMedia(workspaceId) };
const pauseOf = (scope: string): Item => ({
  ...{ kind: 'pause', id: workspaceId, scope, reason: 'why', since: '2026-03-01T12:00:00.000Z' },
});
const ofAccount = { kind: 'account', workspaceId, accountId: account['id'] };
const ofPause = { kind: 'pause', scope: `workspace#${workspaceId}`, workspaceId };

it.each<[string, Item | undefined, Item | undefined, unknown]>([
  ['an account expires', account, { ...account, status: 'expired' }, ofAccount],
  [
    'an account is connected again',
    account,
    { ...account, connectedAt: '2026-03-02T12:00:00.000Z' },
    ofAccount,
  ],
  ['an account loses a scope', { ...account, scopes: ['a', 'b'] }, { ...account, scopes: ['a'] }, ofAccount],
  [
    'an account is disconnected',
    account,
    { ...account, disconnectedAt: '2026-03-02T12:00:00.000Z' },
    ofAccount,
  ],
  ['an account gets default options', account, { ...account, defaultOptions: '{"a":1}' }, undefined],
  ['an account is new', undefined, account, undefined],
  [
    'a file ends as invalid',
    media,
    { ...media, status: 'invalid' },
    { kind: 'file', workspaceId, mediaId: media['id'] },
  ],
  ['a file arrives', { ...media, status: 'pending' }, media, undefined],
  ['a pause begins', undefined, pauseOf(`workspace#${workspaceId}`), ofPause],
  ['a pause ends', pauseOf(`workspace#${workspaceId}`), undefined, ofPause],
  [
    'a platform is paused',
    undefined,
    pauseOf('platform#tiktok'),
    { kind: 'pause', scope: 'platform#tiktok' },
  ],
])('%s: what is checked', (_what, before, after, subject) => {
  expect(subjectOfChange({ before, after })).toEqual(subject);
});
