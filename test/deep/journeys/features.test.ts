import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { offeredAccounts, redirectOf, signIn, Visitor } from '../../../bin/dev/visitor.ts';
import { BegunConnection } from '../../../lib/connections/schemas.ts';
import { clientOf } from '../../journeys/support/client.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

/**
 * An operator whose Instagram app has not passed the review for messages, and whose TikTok app may only publish: that is all that is
 * requested from users unless the operator names more.
 */
const stageFeatures = { instagram: ['publish', 'comments'] } as const;

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ stageFeatures });
  await platformOf(cloud, 'instagram').settings({ unapprovedScopes: ['instagram_business_manage_messages'] });
  await platformOf(cloud, 'tiktok').settings({
    unapprovedScopes: ['video.list', 'video.upload', 'user.info.profile'],
  });
}, 120_000);
afterAll(() => cloud.stop());

const request = (...asked: Parameters<ReturnType<typeof clientOf>['request']>) =>
  clientOf(cloud, cloud.demo).request(...asked);
const begin = async (platform: string) =>
  BegunConnection.parse((await request('POST', `/v1/connect/${platform}`, {})).json());
const accountOf = async (platform: string) => {
  const answer = await request('GET', `/v1/accounts?platform=${platform}`);
  const [account] = (answer.json() as { accounts: { id: string; capabilities: string[] }[] }).accounts;
  if (!account) throw new Error(`no account on ${platform}`);
  return account;
};

describe('an operator who leaves features out', () => {
  it.each([
    [
      'instagram',
      'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments',
      ['publish', 'comments'],
    ],
    ['tiktok', 'user.info.basic,video.publish', ['publish']],
  ])('connects accounts on %s with an app that has only %s', async (platform, scope, capabilities) => {
    const { authUrl } = await begin(platform);
    const browser = new Visitor();
    const platformUrl = redirectOf(await browser.submit(await browser.visit(authUrl)));
    expect(new URL(platformUrl).searchParams.get('scope')).toBe(scope);
    const choice = await signIn(browser, (await begin(platform)).authUrl, demoUsername('demo'));
    expect(await browser.submit(choice, { account: offeredAccounts(choice) })).toMatchObject({ status: 200 });
    expect(await accountOf(platform)).toMatchObject({ capabilities });
  });

  it('offers no messages, and says why', async () => {
    const { id: accountId } = await accountOf('instagram');
    const body = { accountId, platformPostId: '178', keywords: [], dmMessage: 'Hello' };
    const answer = await request('POST', '/v1/comment-automations', body);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { details: { fields: { accountId: [expect.stringContaining('has not enabled on Instagram')] } } },
    ]);
  });

  it('leaves the other platforms as they are', async () => {
    expect(await accountOf('youtube')).toMatchObject({
      capabilities: ['publish', 'comments', 'playlists', 'captions', 'removal'],
    });
  });
});
