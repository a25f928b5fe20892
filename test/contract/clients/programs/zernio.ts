/* Programs of users of Zernio's SDK, unmodified, and in its own types. Each check fails with an error. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import Zernio, { ZernioApiError } from '@zernio/node';
import type { Setting } from './zernio-setting.ts';

type Check = (zernio: Zernio, setting: Setting) => Promise<void>;

const inHours = ({ now }: Setting, hours: number) => new Date(now() + hours * 3_600_000).toISOString();

const destination = ({ accountId }: Setting) => [{ platform: 'threads', accountId }];

/** Returns the id of a post that the SDK has created. */
async function createdId(zernio: Zernio, setting: Setting, content: string): Promise<string> {
  const { data } = await zernio.posts.createPost({
    body: { content, platforms: destination(setting), scheduledFor: inHours(setting, 1) },
  });
  ok(data && 'post' in data && data.post?._id !== undefined);
  return data.post._id;
}

/** Expects an error of the SDK with this status, and returns it. */
async function refused(call: Promise<unknown>, status: number): Promise<ZernioApiError> {
  let found: unknown;
  await rejects(call, (error) => {
    found = error;
    return true;
  });
  ok(found instanceof ZernioApiError, `${found}`);
  equal(found.statusCode, status);
  return found;
}

export const checks: Readonly<Record<string, Check>> = {
  'lists accounts': async (zernio, { accountId, profileId }) => {
    const { data } = await zernio.accounts.listAccounts();
    equal(data?.hasAnalyticsAccess, true);
    const account = data?.accounts.find(({ _id }) => _id === accountId);
    equal(account?.platform, 'threads');
    equal(account?.profileId, profileId);
    equal(account?.isActive, true);
    equal(account?.needsReconnection, false);
    const filtered = await zernio.accounts.listAccounts({ query: { profileId, platform: 'threads' } });
    ok(filtered.data?.accounts.every(({ platform }) => platform === 'threads'));
  },

  'reads the health of accounts': async (zernio, { accountId }) => {
    const { data } = await zernio.accounts.getAllAccountsHealth();
    equal(data?.summary?.total, data?.accounts?.length);
    ok(
      data?.accounts?.some(
        (each) => each.accountId === accountId && each.canPost && each.status === 'healthy',
      ),
    );
    const one = await zernio.accounts.getAccountHealth({ path: { accountId } });
    equal(one.data?.tokenStatus?.valid, true);
  },

  'finds itself in the one profile': async (zernio, { profileId }) => {
    const { data } = await zernio.profiles.listProfiles();
    deepEqual(
      data?.profiles?.map(({ _id, isDefault }) => ({ _id, isDefault })),
      [{ _id: profileId, isDefault: true }],
    );
    const { data: one } = await zernio.profiles.getProfile({ path: { profileId } });
    equal(one?.profile?._id, profileId);
    await refused(zernio.profiles.createProfile({ body: { name: 'Another' } }), 403);
  },

  'verifies its key, and makes no other': async (zernio) => {
    const { data } = await zernio.apiKeys.listApiKeys();
    equal(data?.apiKeys?.length, 1);
    await refused(zernio.apiKeys.createApiKey({ body: { name: 'Another' } }), 403);
    const users = await zernio.users.listUsers();
    equal(users.data?.users?.[0]?._id, users.data?.currentUserId);
    const usage = await zernio.usage.getUsageStats();
    ok((usage.data?.usage?.connectedAccounts ?? 0) > 0);
  },

  'creates, reads, changes and deletes a post': async (zernio, setting) => {
    const postId = await createdId(zernio, setting, 'Rye bread');
    const { data } = await zernio.posts.getPost({ path: { postId } });
    equal(data?.post?.status, 'scheduled');
    equal(data?.post?.platforms?.[0]?.accountId, setting.accountId);
    const scheduledFor = inHours(setting, 2);
    const changed = await zernio.posts.updatePost({
      path: { postId },
      body: { content: 'Walnut bread', scheduledFor },
    });
    equal(changed.data && 'post' in changed.data ? changed.data.post?.content : '', 'Walnut bread');
    const deleted = await zernio.posts.deletePost({ path: { postId } });
    match(deleted.data?.message ?? '', /deleted/i);
    const error = await refused(zernio.posts.getPost({ path: { postId } }), 404);
    equal(error.isNotFound(), true);
  },

  'promotes a draft': async (zernio, setting) => {
    const { data } = await zernio.posts.createPost({
      body: { content: 'A draft', platforms: destination(setting), isDraft: true },
    });
    ok(data && 'post' in data && data.post?._id !== undefined);
    equal(data.post.status, 'draft');
    const postId = data.post._id;
    const promoted = await zernio.posts.updatePost({
      path: { postId },
      body: { isDraft: false, scheduledFor: inHours(setting, 1) },
    });
    equal(promoted.data && 'post' in promoted.data ? promoted.data.post?.status : '', 'scheduled');
    await zernio.posts.deletePost({ path: { postId } });
  },

  'repeats a request safely': async (zernio, setting) => {
    const create = () =>
      zernio.posts.createPost({
        headers: { 'x-request-id': 'zernio-program' },
        body: { content: 'Once', platforms: destination(setting), isDraft: true },
      });
    const [first, again] = [await create(), await create()];
    ok(first.data && 'post' in first.data && again.data && 'post' in again.data);
    equal(again.data.post?._id, first.data.post?._id);
    equal(again.response.status, 200);
  },

  'reads all pages': async (zernio, setting) => {
    const made: string[] = [];
    for (const content of ['page one', 'page two', 'page three'])
      made.push(await createdId(zernio, setting, content));
    await setting.listsHave(made);
    const seen: (string | undefined)[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data } = await zernio.posts.listPosts({ query: { page, limit: 2, status: 'scheduled' } });
      seen.push(...(data?.posts ?? []).map(({ _id }) => _id));
      pages = data?.pagination?.pages ?? 0;
    }
    ok(made.every((id) => seen.filter((each) => each === id).length === 1));
    const found = await zernio.posts.listPosts({ query: { search: 'PAGE T', sortBy: 'created-asc' } });
    deepEqual(
      found.data?.posts?.map(({ content }) => content),
      ['page two', 'page three'],
    );
    for (const postId of made) await zernio.posts.deletePost({ path: { postId } });
  },

  'takes the next slot of the queue': async (zernio, setting) => {
    const { profileId, now } = setting;
    const { data } = await zernio.queue.getNextQueueSlot({ query: { profileId } });
    ok(Date.parse(data?.nextSlot ?? '') > now());
    const preview = await zernio.queue.previewQueue({ query: { profileId, count: 5 } });
    equal(preview.data?.slots?.length, 5);
    const created = await zernio.posts.createPost({
      body: { content: 'Queued', platforms: destination(setting), queuedFromProfile: profileId },
    });
    ok(created.data && 'post' in created.data && created.data.post?._id !== undefined);
    equal(created.data.post.queuedFromProfile, profileId);
    equal(created.data.post.status, 'scheduled');
    await zernio.posts.deletePost({ path: { postId: created.data.post._id } });
    const { _id: _, ...slot } = {
      _id: '',
      profileId,
      timezone: 'UTC',
      slots: [{ dayOfWeek: 1, time: '09:00' }],
    };
    await refused(zernio.queue.createQueueSlot({ body: { ...slot, name: 'Mine' } }), 400);
  },

  'refuses a time in the past, which Zernio publishes at once': async (zernio, setting) => {
    const error = await refused(
      zernio.posts.createPost({
        body: { content: 'Old', platforms: destination(setting), scheduledFor: '2020-01-01T10:00:00Z' },
      }),
      400,
    );
    match(error.message, /past/);
  },

  'gets errors in their types': async (zernio, setting) => {
    const stranger = new Zernio({ apiKey: 'yay_wrong', baseURL: setting.baseURL });
    equal((await refused(stranger.accounts.listAccounts(), 401)).isAuthError(), true);
    const { response } = await refusedReply(zernio, setting);
    equal(response.status, 400);
  },

  'checks a post': async (zernio) => {
    const { data } = await zernio.validate.validatePost({
      body: { content: 'x'.repeat(600), platforms: [{ platform: 'threads' }] },
    });
    equal(data?.valid, false);
    const fine = await zernio.validate.validatePost({
      body: { content: 'Short', platforms: [{ platform: 'threads' }] },
    });
    equal(fine.data?.valid, true);
    const length = await zernio.validate.validatePostLength({ body: { text: 'Short' } });
    deepEqual(length.data?.platforms?.['threads'], { count: 5, limit: 500, valid: true });
  },

  'gets an address for an upload': async (zernio) => {
    const { data } = await zernio.media.getMediaPresignedUrl({
      body: { filename: 'bread.jpg', contentType: 'image/jpeg', size: 3 },
    });
    match(data?.uploadUrl ?? '', /^http/);
    match(data?.publicUrl ?? '', /^http/);
    ok(data?.key);
    equal(data?.expiresIn, 3_600);
  },

  'begins a connection': async (zernio, { profileId }) => {
    const { data } = await zernio.connect.getConnectUrl({
      path: { platform: 'threads' },
      query: { profileId, redirect_url: 'https://app.example.com/done' },
    });
    match(data?.authUrl ?? '', /^http/);
    ok(data?.state);
  },

  'manages webhooks': async (zernio, { receiverUrl }) => {
    const created = await zernio.webhooks.createWebhookSettings({
      body: {
        name: 'Program',
        url: `${receiverUrl}/managed`,
        events: ['post.published', 'post.platform.failed'],
      },
    });
    const webhookId = created.data?.webhook?._id ?? '';
    equal(created.data?.success, true);
    ok(created.data?.webhook?.secret);
    const listed = await zernio.webhooks.getWebhookSettings();
    ok(listed.data?.webhooks?.some(({ _id }) => _id === webhookId));
    const updated = await zernio.webhooks.updateWebhookSettings({
      body: { _id: webhookId, name: 'Renamed' },
    });
    equal(updated.data?.webhook?.name, 'Renamed');
    equal((await zernio.webhooks.testWebhook({ body: { webhookId } })).data?.success, true);
    ok((await zernio.webhooks.getWebhookLogs({ query: { webhookId } })).data?.pagination);
    equal((await zernio.webhooks.deleteWebhookSettings({ query: { id: webhookId } })).data?.success, true);
  },

  'automates replies to all posts of an account': async (zernio, { profileId }) => {
    const { data: found } = await zernio.accounts.listAccounts({ query: { platform: 'instagram' } });
    const accountId = found?.accounts[0]?._id ?? '';
    const created = await zernio.commentautomations.createCommentAutomation({
      body: {
        profileId,
        accountId,
        name: 'Program',
        keywords: ['a word of this program'],
        dmMessage: 'Here',
      },
    });
    equal(created.data?.success, true);
    const automationId = created.data?.automation?.id ?? '';
    const { data: listed } = await zernio.commentautomations.listCommentAutomations({ query: { profileId } });
    ok(listed?.automations?.some(({ id, trigger }) => id === automationId && trigger === 'comment'));
    const updated = await zernio.commentautomations.updateCommentAutomation({
      path: { automationId },
      body: { isActive: false, linkTracking: false },
    });
    equal(updated.data?.automation?.isActive, false);
    const one = await zernio.commentautomations.getCommentAutomation({ path: { automationId } });
    deepEqual(one.data?.logs, []);
    const logs = await zernio.commentautomations.listCommentAutomationLogs({ path: { automationId } });
    equal(logs.data?.pagination?.total, 0);
    await zernio.commentautomations.deleteCommentAutomation({ path: { automationId } });
    await refused(zernio.commentautomations.getCommentAutomation({ path: { automationId } }), 404);
  },

  'looks at a file, and at a post that is not live': async (zernio, setting) => {
    const { data } = await zernio.validate.validateMedia({ body: { url: 'http://169.254.169.254/x.jpg' } });
    equal(data?.valid, false);
    const postId = await createdId(zernio, setting, 'Not live');
    await refused(zernio.posts.unpublishPost({ path: { postId }, body: { platform: 'threads' } }), 400);
    await refused(zernio.posts.retryPost({ path: { postId } }), 409);
    await zernio.posts.deletePost({ path: { postId } });
  },

  'learns by name what is not there': async (zernio) => {
    const error = await refused(zernio.analytics.getBestTimeToPost(), 501);
    match(error.message, /getBestTimeToPost/);
  },

  'creates a table of posts': async (zernio) => {
    const file = new Blob(['post_content,platforms,is_draft\nFrom a table,threads,true'], {
      type: 'text/csv',
    });
    const { data } = await zernio.posts.bulkUploadPosts({ body: { file }, query: { dryRun: true } });
    deepEqual(data?.results, [{ rowIndex: 0, ok: true }]);
  },

  'reads numbers of posts': async (zernio) => {
    const { data } = await zernio.analytics.getAnalytics({ query: { sortBy: 'likes', limit: 5 } });
    ok(data && 'posts' in data && Array.isArray(data.posts));
    await refused(zernio.analytics.getAnalytics({ query: { sortBy: 'impressions' } }), 501);
  },

  'reads followers': async (zernio, { accountId }) => {
    const { data } = await zernio.accounts.getFollowerStats({ query: { accountIds: accountId } });
    ok(data?.accounts?.some(({ _id }) => _id === accountId));
    equal(data?.granularity, 'daily');
    await refused(zernio.accounts.getFollowerStats({ query: { granularity: 'monthly' } }), 501);
  },

  'reads what was done': async (zernio) => {
    const { data } = await zernio.logs.listLogs();
    ok(Array.isArray(data?.logs));
  },
};

/** The reply to a wrong request, as those see it who do not want exceptions. */
async function refusedReply(zernio: Zernio, setting: Setting) {
  try {
    await zernio.posts.createPost({
      body: {
        content: 'x',
        platforms: [{ platform: 'threads', accountId: setting.profileId }],
        publishNow: true,
      },
    });
  } catch (error) {
    if (error instanceof ZernioApiError) return { response: { status: error.statusCode } };
    throw error;
  }
  throw new Error('an unknown account was accepted');
}

/** Runs a check with a client of its own. */
export async function run(name: string, setting: Setting): Promise<void> {
  const { baseURL, apiKey } = setting;
  await checks[name]?.(new Zernio({ apiKey, baseURL }), setting);
}
