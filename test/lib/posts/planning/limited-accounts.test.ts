import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { PlatformRules } from '../../../../lib/platforms/contract/rules.ts';
import { facebookRules } from '../../../../lib/platforms/facebook/rules.ts';
import { createPost } from '../../../../lib/posts/create.ts';
import { CreatePostBody } from '../../../../lib/posts/request/schemas.ts';
import { validatePost } from '../../../../lib/posts/validate.ts';
import { startMs, storeAccount } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { mediaItem, openFixture } from '../fixture.ts';

/** Facebook, if it took two reels a day. */
const rules: PlatformRules = {
  ...facebookRules,
  ...(facebookRules.accountLimit && { accountLimit: { ...facebookRules.accountLimit, posts: 2 } }),
};
const noon = startMs + 86_400_000;
const at = (ms: number) => toTimestamp(noon + ms);

async function openPlanner() {
  const table = await createTestTable();
  const fixture = await openFixture(table);
  const page = await storeAccount(table, fixture.context.workspaceId, {
    platform: 'facebook',
    platformAccountId: '105',
  });
  const context = { ...fixture.context, rulesFor: () => rules };
  const body = (scheduledFor: string, platformSpecificData: object, accountId = page.id) =>
    CreatePostBody.parse({
      content: 'Hello',
      platforms: [{ accountId, platformSpecificData }],
      mediaItems: [mediaItem(fixture.video)],
      scheduledFor,
    });
  return {
    ...fixture,
    context,
    plan: async (...given: Parameters<typeof body>) =>
      (await createPost(context, body(...given), { rawBody: '{}' })).warnings.filter(
        ({ code }) => code === 'quota_exhausted',
      ),
    validate: async (...given: Parameters<typeof body>) =>
      (await validatePost(context, body(...given))).warnings.filter(({ code }) => code === 'quota_exhausted'),
    otherPage: () =>
      storeAccount(table, fixture.context.workspaceId, { platform: 'facebook', platformAccountId: '106' }),
  };
}

let planner: Awaited<ReturnType<typeof openPlanner>>;
beforeEach(async () => {
  planner = await openPlanner();
});

const reel = { contentType: 'reel' };
const hour = 3_600_000;

describe('a Page with a limit of two reels in any 24 hours', () => {
  it('warns about the third, when it is validated and when it is created', async () => {
    expect(await planner.plan(at(0), reel)).toEqual([]);
    expect(await planner.plan(at(hour), reel)).toEqual([]);
    const expected = [
      {
        field: 'platforms[0].scheduledFor',
        code: 'quota_exhausted',
        message:
          'Facebook takes 2 reels per account in any 24 hours, and 2 are planned in the 24 hours before this one. So it may have to wait',
        platform: 'facebook',
        accountId: expect.any(String),
      },
    ];
    expect(await planner.validate(at(2 * hour), reel)).toEqual(expected);
    expect(await planner.plan(at(2 * hour), reel)).toEqual(expected);
  });

  it.each<[string, number, object]>([
    ['a day after the first', dayMs, reel],
    ['before both', -hour, reel],
    ['a plain video', 2 * hour, {}],
    ['a draft of a reel', 2 * hour, { ...reel, draft: true }],
  ])('does not warn about %s', async (_name, later, options) => {
    await planner.plan(at(0), reel);
    await planner.plan(at(hour), { type: 'reel' });
    expect(await planner.plan(at(later), options)).toEqual([]);
  });

  it('counts neither other kinds of posts, nor those of other Pages', async () => {
    const { id } = await planner.otherPage();
    await planner.plan(at(0), {});
    await planner.plan(at(hour), { ...reel, draft: true });
    await planner.plan(at(hour), reel, id);
    await planner.plan(at(hour), reel);
    expect(await planner.plan(at(2 * hour), reel)).toEqual([]);
    expect(await planner.plan(at(3 * hour), reel)).toHaveLength(1);
  });
});
