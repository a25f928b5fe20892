import { describe, expect, it } from 'vitest';
import { capabilitiesOf, lackOf } from '../../../lib/accounts/capabilities.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { scopesToRequest } from '../../../lib/platforms/contract/features.ts';
import { featuresFor } from '../../../lib/platforms/registry/features.ts';
import { anAccount } from '../../support/builders.ts';

const accountWith = (changes: Partial<Account>) => anAccount('w', changes);
const instagram = featuresFor('instagram').scopes;
const publisher = accountWith({ scopes: [...instagram.publish] });

describe('an account can do', () => {
  it.each<[string, Partial<Account>, string[]]>([
    [
      'what was granted',
      { scopes: [...instagram.publish, ...(instagram.comments ?? [])] },
      ['publish', 'comments'],
    ],
    ['everything if it was connected before scopes were recorded', {}, ['publish', 'comments', 'messages']],
    ['what its platform granted before', { platform: 'youtube' }, ['publish']],
    ['what its platform granted before', { platform: 'tiktok' }, ['publish', 'profile']],
    [
      'what its kind granted before',
      { platform: 'linkedin', meta: { as: 'member' } },
      ['publish', 'comments'],
    ],
    ['what its kind granted before', { platform: 'linkedin', meta: { as: 'organization' } }, ['publish']],
    [
      'what a new login grants',
      { platform: 'youtube', scopes: scopesToRequest(featuresFor('youtube')) },
      ['publish', 'comments', 'playlists', 'captions', 'removal'],
    ],
  ])('%s: %j', (_title, changes, expected) => {
    expect(capabilitiesOf(accountWith(changes), {})).toEqual(expected);
  });

  it('no more than the operator has enabled', () => {
    expect(capabilitiesOf(accountWith({}), { instagram: ['comments'] })).toEqual(['publish', 'comments']);
    expect(capabilitiesOf(accountWith({}), { youtube: [] })).toContain('messages');
  });
});

describe('what an account lacks', () => {
  it.each([
    [publisher, {}, 'Instagram has not granted for this account: connect it again'],
    [
      accountWith({}),
      { instagram: ['publish' as const] },
      'the operator of this service has not enabled on Instagram',
    ],
    [accountWith({ platform: 'pinterest' }), {}, 'this service does not offer on Pinterest'],
  ])('is said with what helps', (account, stageFeatures, reason) => {
    expect(lackOf(account, 'messages', stageFeatures)).toContain(
      `needs the feature messages, which ${reason}`,
    );
  });

  it('is that nobody asked for it, if the login requests it only on request', () => {
    const tiktok = accountWith({ platform: 'tiktok', scopes: scopesToRequest(featuresFor('tiktok')) });
    expect(lackOf(tiktok, 'drafts', {})).toContain('the operator of this service has not enabled on TikTok');
    expect(lackOf(tiktok, 'drafts', { tiktok: ['drafts'] })).toContain('TikTok has not granted');
  });

  it('is nothing if it was granted before it was only on request', () => {
    const scopes = ['user.info.basic', 'video.publish', 'video.upload'];
    expect(lackOf(accountWith({ platform: 'tiktok', scopes }), 'drafts', {})).toBeUndefined();
  });

  it('is nothing if it has the feature', () => {
    expect(lackOf(accountWith({}), 'messages', {})).toBeUndefined();
  });
});
