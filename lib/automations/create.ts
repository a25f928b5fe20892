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
import { findLivePost } from '../targets/live-posts.ts';
import { checkAutomation, requireFeatures } from './check.ts';
import { distinctKeywords } from './matching/match-comment.ts';
import type { CreateAutomationBody } from './request-schemas.ts';
import { type Automation, automationSubject } from './schemas.ts';
import { findAutomationOfPost, insertAutomation } from './store.ts';
import { linksOf } from './tracked-links.ts';
import { type AutomationView, toAutomationView } from './views.ts';

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
 * Creates an automation for a live post. If the post already has one, returns that one unchanged: a post has at most one.
 *
 * @throws HeraldError `not_found` if the account is unknown, foreign or not one of the actor's accounts, or has no such live
 *   post; `invalid` if the account's platform has no automations or would refuse a message, or if the account lacks a feature;
 *   `conflict` if the platform must be asked for the post and the account must be connected again first; `unavailable` if the
 *   platform gives no answer
 */
export async function createAutomation(
  context: CreateAutomationContext,
  body: CreateAutomationBody,
): Promise<{ automation: AutomationView; isExisting: boolean }> {
  const { table, workspaceId, linkBaseUrl } = context;
  const { accountId, platformPostId } = body;
  const account = await findOwnAccount(context, accountId);
  if (!account || account.disconnectedAt) throw unknownPost();
  const platform = context.commentPlatformFor(account.platform);
  if (!platform)
    throw invalidField(
      'accountId',
      'must be an Instagram account: other platforms have no comment automations',
      'account_platform',
    );
  const automation = newAutomation(context, body);
  checkAutomation(automation, platform.limits, linkBaseUrl);
  requireFeatures(automation, account, context.stageFeatures);

  const post = { workspaceId, accountId, platformPostId };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const existing = await findAutomationOfPost(table, post);
    if (existing) return { automation: toAutomationView(existing), isExisting: true };
    if (tries === 0 && !(await isLivePost(context, account, platform, platformPostId))) throw unknownPost();
    const audit = [auditPart(context, automationSubject(automation))];
    if ((await insertAutomation(table, automation, audit)) === 'stored') {
      return { automation: toAutomationView(automation), isExisting: false };
    }
  }
  throw new HeraldError(
    'changed_concurrently',
    'platformPostId: many requests are creating and deleting automations of this post; try again',
  );
}

function newAutomation({ workspaceId, now }: Context, body: CreateAutomationBody): Automation {
  const createdAt = toTimestamp(now);
  const { links } = linksOf(body);
  return {
    ...body,
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

/**
 * Returns true if an account has this live post: Herald published it, or the platform shows it to the account.
 *
 * @throws HeraldError `conflict` if the platform must be asked and the account must be connected again first; `unavailable` if
 *   the platform gives no answer now
 */
async function isLivePost(
  context: CreateAutomationContext,
  account: Account,
  platform: CommentPlatform,
  platformPostId: string,
): Promise<boolean> {
  const { workspaceId, id: accountId } = account;
  const post = { platform: account.platform, platformPostId };
  const owner = await findLivePost(context.table, post, { workspaceId, accountId });
  if (owner?.workspaceId === workspaceId && owner.accountId === accountId) return true;
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
