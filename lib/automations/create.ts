import { findOwnAccount } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { CommentPlatform } from '../platforms/contract/messaging.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { checkAutomation } from './check.ts';
import { isLivePost, type LivePostPorts } from './live-post.ts';
import { distinctKeywords } from './matching/match-comment.ts';
import type { CreateAutomationBody } from './request-schemas.ts';
import { requireFeatures } from './required-features.ts';
import type { Automation } from './schemas.ts';
import { findAutomationOfPost, insertAutomation } from './store.ts';
import { linksOf } from './tracked-links.ts';
import { type AutomationView, toAutomationView } from './views.ts';

export interface CreateAutomationContext extends Context, LivePostPorts {
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
    const audit = [auditPart(context, automation.id)];
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
