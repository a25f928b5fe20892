import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../../lib/accounts/schemas.ts';
import type { StageFeatures } from '../../../../lib/platforms/contract/features.ts';
import { featuresFor } from '../../../../lib/platforms/registry/features.ts';
import { createPost } from '../../../../lib/posts/create.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { validatePost } from '../../../../lib/posts/validate.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { storeAccount } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from '../fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
/** An account whose owner has granted only what publishing needs. */
let publisher: Account;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
  publisher = await storeAccount(table, fixture.context.workspaceId, {
    platformAccountId: '17841400000000001',
    scopes: [...featuresFor('instagram').scopes.publish],
  });
});

const withComment = (account: Account, firstComment: unknown = 'Which one is yours?', more: object = {}) =>
  fixture.body({ platforms: [{ accountId: account.id, platformSpecificData: { firstComment } }], ...more });
const scheduled = (account: Account) => withComment(account, 'Hello', { scheduledFor: inOneHour });
const enabling = (stageFeatures: StageFeatures) => ({ ...fixture.context, stageFeatures });
const notGranted =
  'needs the feature comments, which Instagram has not granted for this account: connect it again and leave all permissions selected';
const notEnabled =
  'needs the feature comments, which the operator of this service has not enabled on Instagram';
const field = 'platforms[0].platformSpecificData.firstComment';

describe('an option that needs a feature', () => {
  it('is accepted for an account that has the feature', async () => {
    expect(await validatePost(fixture.context, withComment(fixture.instagram))).toMatchObject({
      problems: [],
    });
  });

  it('is refused by name if the account has not granted the feature', async () => {
    const { problems } = await validatePost(fixture.context, withComment(publisher));
    expect(problems).toMatchObject([{ field, message: notGranted, accountId: publisher.id }]);
    const created = createPost(fixture.context, scheduled(publisher), { rawBody: '' });
    expect(await refusalsOf(created)).toEqual([`${field}: ${notGranted}`]);
  });

  it('is refused by name if the operator has not enabled the feature', async () => {
    const context = enabling({ instagram: ['publish', 'messages'] });
    const created = createPost(context, scheduled(fixture.instagram), { rawBody: '' });
    expect(await refusalsOf(created)).toEqual([`${field}: ${notEnabled}`]);
  });

  it('is refused when a post is edited, and in a step of a chain', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const { platforms } = withComment(publisher);
    expect(await refusalsOf(editPost(fixture.context, post.id, { platforms }))).toEqual([
      `${field}: ${notGranted}`,
    ]);
    const chain = [
      {
        kind: 'crossPost',
        delaySeconds: 600,
        accountIds: [publisher.id],
        options: { [publisher.id]: { firstComment: 'Hello' } },
      },
    ];
    const { problems } = await validatePost(fixture.context, fixture.body({ chain }));
    expect(problems).toMatchObject([
      { field: `chain[0].options.${publisher.id}.firstComment`, message: notGranted },
    ]);
  });

  it.each([null, ''])('needs nothing if it is %j', async (firstComment) => {
    expect(await validatePost(fixture.context, withComment(publisher, firstComment))).toMatchObject({
      problems: [],
    });
  });

  it.each([
    [false, [notGranted]],
    [true, []],
  ])('is commentsEnabled only if it is false: %s', async (commentsEnabled, messages) => {
    const platforms = [{ accountId: publisher.id, platformSpecificData: { commentsEnabled } }];
    const { problems } = await validatePost(fixture.context, fixture.body({ platforms }));
    expect(problems.map(({ message }) => message)).toEqual(messages);
  });

  it('waits in a draft until it is scheduled', async () => {
    const body = withComment(publisher, 'Hello', { isDraft: true });
    const { post } = await createPost(fixture.context, body, { rawBody: '' });
    const edited = editPost(fixture.context, post.id, { scheduledFor: inOneHour });
    expect(await refusalsOf(edited)).toEqual([`${field}: ${notGranted}`]);
  });
});
