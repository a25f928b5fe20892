import { withAccess } from '../accounts/platform-access.ts';
import { findOwnAccount } from '../accounts/read.ts';
import type { Account } from '../accounts/schemas.ts';
import type { Vault } from '../accounts/vault.ts';
import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { CommentPlatform } from '../platforms/contract/messaging.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { getItem } from '../table/items.ts';
import { targetKey } from '../table/keys.ts';
import { findLivePost, type LivePostOwner } from '../targets/live-posts.ts';
import { type AnsweredPosts, nameOf, postsNamed } from './answered-posts.ts';
import { checkAutomation, requireFeatures } from './check.ts';
import { automationLimits } from './limits.ts';
import { distinctKeywords } from './matching/match-comment.ts';
import { findNextPost } from './next-post.ts';
import { viewOf } from './read.ts';
import type { CreateAutomationBody } from './request-schemas.ts';
import { type Automation, automationSubject } from './schemas.ts';
import { findAutomationOfPost, insertAutomation, readRules, startAutomation } from './store.ts';
import { linksOf } from './tracked-links.ts';
import type { AutomationView } from './views.ts';

export interface CreateAutomationContext extends Context {
  readonly vault: Vault;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The public address of the redirect, without a final slash. */
  readonly linkBaseUrl: string;
  readonly commentPlatformFor: (platform: Platform) => CommentPlatform | undefined;
}

/** The number of tries if the post's automation is deleted between the write and the read. */
const maxTries = 5;

/**
 * Creates an automation for a live post, for a post of Herald that is not live yet, for the account's next post, for every post,
 * for replies to stories or for messages. If these already have one, returns that one unchanged: a post has at most one of its own,
 * and an account at most one of each other sort.
 *
 * @throws HeraldError `not_found` if the account is unknown, foreign or not one of the actor's accounts, or has no such post;
 *   `invalid` if the account's platform has no automations or would refuse a message, or if the account lacks a feature;
 *   `conflict` if the platform must be asked for the post and the account must be connected again first; `unavailable` if the
 *   platform gives no answer
 */
export async function createAutomation(
  context: CreateAutomationContext,
  body: CreateAutomationBody,
): Promise<{ automation: AutomationView; isExisting: boolean }> {
  const { table, workspaceId, linkBaseUrl } = context;
  const { accountId } = body;
  const account = await findOwnAccount(context, accountId);
  if (!account || account.disconnectedAt) throw unknownPost();
  const platform = context.commentPlatformFor(account.platform);
  if (!platform)
    throw invalidField(
      'accountId',
      'must be an Instagram account: other platforms have no comment automations',
      'account_platform',
    );
  const posts = await postsOf(context, account, body);
  const automation = newAutomation(context, body, posts);
  checkAutomation(automation, platform.limits, linkBaseUrl);
  requireFeatures(automation, account, context.stageFeatures);

  const { platformPostId } = automation;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const existing = await findAutomationOfPost(table, { workspaceId, accountId, platformPostId });
    if (existing) {
      const isNext = posts.kind === 'next post';
      if (isNext && (await startIfLive(context, account, platform, existing))) continue;
      return { automation: await viewOf(table, existing), isExisting: true };
    }
    if (tries === 0 && posts.kind === 'post') {
      const owner = await findOwner(context, account, platformPostId);
      const attached = owner && (await findAutomationOfPost(table, attachedTo(account, owner.postId)));
      if (attached) return { automation: await viewOf(table, attached), isExisting: true };
      if (owner && (await isGone(context, account, owner))) throw unknownPost();
      if (!owner && !(await isShown(context, account, platform, platformPostId))) throw unknownPost();
    }
    if (posts.kind === 'herald post') await requirePlace(context, account);
    const audit = [auditPart(context, automationSubject(automation))];
    if ((await insertAutomation(table, automation, audit)) === 'stored') {
      return { automation: await viewOf(table, automation), isExisting: false };
    }
  }
  throw new HeraldError(
    'changed_concurrently',
    'platformPostId: many requests are creating and deleting automations of this post; try again',
  );
}

/**
 * Gives an automation of the next post its post, if that is live already and nobody has commented on it yet.
 *
 * @returns true if there is such a post; false also if the platform cannot be asked now
 */
async function startIfLive(
  context: CreateAutomationContext,
  account: Account,
  platform: CommentPlatform,
  automation: Automation,
): Promise<boolean> {
  const { table, now } = context;
  try {
    return await withAccess(context, account, 'accountId', async (accessToken, tools) => {
      const found = await findNextPost({ table, platform, tools }, { account, accessToken }, automation);
      if (found !== undefined) await startAutomation(table, automation, found, now);
      return found !== undefined;
    });
  } catch (error) {
    if (error instanceof HeraldError) return false;
    throw error;
  }
}

/**
 * Returns the posts that a request names. A post of Herald that is live already is named by its id at the platform.
 *
 * @throws HeraldError `not_found` if the account has no such post
 */
async function postsOf(
  { table, workspaceId }: Context,
  { id: accountId }: Account,
  { appliesTo, platformPostId, postId }: CreateAutomationBody,
): Promise<AnsweredPosts> {
  if (appliesTo === 'next_post') return { kind: 'next post' };
  if (appliesTo === 'every_post') return { kind: 'every post' };
  if (appliesTo === 'story_replies') return { kind: 'story replies' };
  if (appliesTo === 'direct_messages') return { kind: 'direct messages' };
  if (postId !== undefined) {
    const target = await getItem(table, targetKey(workspaceId, postId, accountId));
    if (!target) throw unknownPost();
    const liveId = target['platformPostId'];
    return typeof liveId === 'string'
      ? { kind: 'post', platformPostId: liveId }
      : { kind: 'herald post', postId };
  }
  const posts = postsNamed(platformPostId ?? '');
  // Names of other posts are no ids at the platform.
  if (posts.kind !== 'post') throw unknownPost();
  return posts;
}

const attachedTo = ({ workspaceId, id: accountId }: Account, postId: string) => ({
  workspaceId,
  accountId,
  platformPostId: nameOf({ kind: 'herald post', postId }),
});

/** @throws HeraldError `invalid` if too many automations of the account wait for posts of Herald */
async function requirePlace({ table, workspaceId }: Context, { id }: Account): Promise<void> {
  const rules = await readRules(table, workspaceId, id);
  const attached = rules.filter(({ sk }) => postsNamed(String(sk)).kind === 'herald post');
  if (attached.length < automationLimits.attachedPerAccount) return;
  throw invalidField(
    'postId',
    `the account has ${automationLimits.attachedPerAccount} automations whose posts are not live; delete those that are no longer needed`,
    'invalid',
  );
}

function newAutomation(
  { workspaceId, now }: Context,
  { appliesTo: _appliesTo, postId, ...body }: CreateAutomationBody,
  posts: AnsweredPosts,
): Automation {
  const createdAt = toTimestamp(now);
  const { links } = linksOf(body);
  return {
    ...body,
    platformPostId: nameOf(posts),
    ...(postId !== undefined && { postId }),
    id: newId(now),
    workspaceId,
    keywords: distinctKeywords(body.keywords),
    links,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  };
}

function unknownPost(): HeraldError {
  return notFound('live post of a connected account');
}

/** Returns the post of Herald that was published as this post of the account; `undefined` if there is none. */
async function findOwner(
  { table, workspaceId }: Context,
  { id: accountId, platform }: Account,
  platformPostId: string,
): Promise<LivePostOwner | undefined> {
  const owner = await findLivePost(table, { platform, platformPostId }, { workspaceId, accountId });
  return owner?.workspaceId === workspaceId && owner.accountId === accountId ? owner : undefined;
}

/** True if a post of Herald is known to be gone at the platform. */
async function isGone(
  { table, workspaceId }: Context,
  { id }: Account,
  { postId }: LivePostOwner,
): Promise<boolean> {
  const target = await getItem(table, targetKey(workspaceId, postId, id));
  return target?.['removedAt'] !== undefined;
}

/**
 * Returns true if the platform shows this post to the account.
 *
 * @throws HeraldError `conflict` if the account must be connected again first; `unavailable` if the platform gives no answer now
 */
function isShown(
  context: CreateAutomationContext,
  account: Account,
  platform: CommentPlatform,
  platformPostId: string,
): Promise<boolean> {
  return withAccess(context, account, 'accountId', async (accessToken, tools) => {
    try {
      return await platform.postExists({ account, accessToken, platformPostId }, tools);
    } catch (error) {
      // The platform will never show this post to the account, so the account does not own it.
      if (error instanceof PlatformError && error.remedy === 'rejected') return false;
      throw error;
    }
  });
}
