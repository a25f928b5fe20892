import { describe, expect, it } from 'vitest';
import { accountName } from '../../../../lib/panel/pages/compose/context.ts';
import { act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import { countByTab, placeAll, placeOf } from '../../../../lib/panel/pages/compose/draft/places.ts';
import { instagram, threads, tiktok, youtube } from '../../support/accounts.ts';
import { draftFor, video } from '../support/drafts.ts';

describe('a problem belongs to the field', () => {
  const own = act(
    act(draftFor(instagram, youtube), {
      do: 'override',
      accountId: youtube.id,
      changes: { content: 'x', media: [video] },
    }),
    { do: 'addStep', key: 'a', kind: 'followUp' },
  );
  const step = act(own, { do: 'editStep', key: 'a', changes: { accountIds: [tiktok.id] } });
  it.each([
    ['content', 'content', 'all'],
    ['mediaItems', 'media', 'all'],
    ['mediaItems[2].url', 'media', 'all', 2],
    ['coverUrl', 'cover', 'all'],
    ['scheduledFor', 'when', undefined],
    ['platforms', 'accounts', undefined],
    ['platforms[1].accountId', 'accounts', undefined],
    ['platforms[1].customContent', `${youtube.id}-content`, youtube.id],
    ['platforms[1].customMedia[0]', `${youtube.id}-media`, youtube.id, 0],
    ['platforms[1].scheduledFor', 'when', undefined],
    ['onQuota', 'on-quota', undefined],
    ['metadata.campaign', 'metadata', undefined],
    ['externalIdUnique', 'external-id', undefined],
    ['platforms[1].platformSpecificData.title', `${youtube.id}-option-title`, youtube.id],
    ['platforms[0].platformSpecificData.userTags[0].x', `${instagram.id}-option-userTags`, instagram.id],
    ['platforms[0].platformSpecificData.firstComment', 'comment', 'all'],
    ['platforms[0].platformSpecificData.thumbOffset', 'cover', 'all'],
    ['chain[0].content', 'step-a-content', undefined],
    ['chain[0].accountIds[0]', 'step-a-accounts', undefined],
    [`chain[0].options.${tiktok.id}.privacyLevel`, `step-a-${tiktok.id}-option-privacyLevel`, undefined],
    ['chain', 'accounts', undefined],
    ['something.new', 'accounts', undefined],
  ] as const)('%s: %s', (field, key, tab, file?: number) => {
    expect(placeOf(field, step)).toEqual({ key, ...(tab && { tab }), ...(file !== undefined && { file }) });
  });

  it('is listed once for each account, and counted on its tab', () => {
    const finding = {
      field: 'content',
      code: 'content_too_long',
      message: 'is too long',
      accountId: instagram.id,
    };
    const placed = placeAll([finding, finding, { ...finding, accountId: youtube.id }], own);
    expect(placed).toHaveLength(2);
    expect([...countByTab(placed)]).toEqual([['all', 2]]);
  });
});

describe('an account', () => {
  it('is named with its platform if others in the workspace have the same name', () => {
    const twins = [instagram, threads].map((each) => ({ ...each, displayName: 'Nordlicht' }));
    const accounts = new Map([...twins, youtube].map((each) => [each.id, each]));
    expect([...accounts.keys()].map((id) => accountName(accounts, id))).toEqual([
      'Nordlicht (Instagram)',
      'Nordlicht (Threads)',
      youtube.displayName,
    ]);
  });
});
