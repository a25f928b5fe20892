import { lackOf } from '../accounts/capabilities.ts';
import { accountFromItem } from '../accounts/store.ts';
import type { Context } from '../api-contract/context.ts';
import { unsettledCall } from '../at-most-once/call-records.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import { removalWay } from '../platforms/registry/removals.ts';
import { batchGet } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import { accountKey } from '../table/keys.ts';
import { transact } from '../table/transaction.ts';
import { awaitsRemoval, idsToRemove } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { isLive } from '../targets/state.ts';
import { type TargetChanges, targetUpdatePart } from '../targets/store.ts';
import { appendEntry, type TimelineEntry, triesOf } from '../targets/timeline.ts';
import type { UnpublishPostBody } from './operations.ts';
import { readPost } from './read.ts';
import { subjectOf } from './stored/schemas.ts';
import type { PostWithTargets } from './stored/store.ts';

interface UnpublishContext extends Context {
  readonly stageFeatures: StageFeatures;
}

const maxAttempts = 5;

/**
 * Asks for the deletion of live targets at their platforms, all or none. Workers delete the posts. From this commit on, nothing more
 * of these targets is published or sent. A target whose removal was requested before, or is done, is left as it is; one whose removal
 * has failed is tried again.
 *
 * @throws HeraldError `not_found`; `account_unknown`; `conflict` if one of the targets is not live, if its outcome is unknown, if only
 *   a person can delete its post, or if the post keeps changing
 */
export async function unpublishPost(
  context: UnpublishContext,
  postId: string,
  { accountIds }: UnpublishPostBody,
): Promise<PostWithTargets> {
  const { table, workspaceId, now } = context;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const found = await readPost(context, postId);
    const wanted = wantedTargets(found, accountIds).filter((target) => !isUnderWay(target));
    if (wanted.length === 0) return found;
    const accounts = await batchGet(
      table,
      wanted.map(({ accountId }) => accountKey(workspaceId, accountId)),
    );
    for (const target of wanted) requireRemovable(context, target, accounts);
    const updates = wanted.map((target) => targetUpdatePart(table, target, requested(target, now)));
    const names = wanted.map(({ accountId }) => accountId).join(', ');
    const audit = auditPart(context, subjectOf(found.post), `destinations ${names}`);
    const outcome = await transact(table, [...updates.map(({ part }) => part), audit]);
    if (!outcome.committed) continue;
    const changed = new Map(updates.map(({ after }) => [after.accountId, after]));
    return {
      ...found,
      targets: found.targets.map((target) => changed.get(target.accountId) ?? target),
    };
  }
  throw new HeraldError('changed_concurrently', 'the post is being changed at the same time; try again');
}

/** A target without a wake has lost it to a worker of an earlier release, which does not know removals: it gets another. */
const isUnderWay = (target: Target): boolean =>
  target.removedAt !== undefined || (awaitsRemoval(target) && target.wakeAt !== undefined);

/** Returns the targets that a request is about. @throws HeraldError as {@link unpublishPost} */
function wantedTargets({ targets }: PostWithTargets, accountIds: readonly string[] | undefined): Target[] {
  const named = accountIds?.map((accountId, index) => {
    const target = targets.find((each) => each.accountId === accountId);
    const field = `accountIds[${index}]`;
    if (target === undefined) throw invalidField(field, 'is no destination of this post', 'account_unknown');
    if (!isLive(target.status)) throw notLive(target, field);
    return target;
  });
  if (named !== undefined) return [...new Set(named)];
  const publishing = targets.find(({ status }) => status === 'publishing');
  if (publishing !== undefined) throw notLive(publishing);
  const live = targets.filter(({ status }) => isLive(status));
  if (live.length > 0) return live;
  throw new HeraldError('post_not_live', 'no destination of this post is live');
}

function notLive({ status, platform }: Target, param?: string): HeraldError {
  const about = param === undefined ? {} : { param };
  const start = param === undefined ? '' : `${param}: `;
  return status === 'publishing'
    ? new HeraldError(
        'post_publishing',
        `${start}the destination on ${platform} is being published; try again in a minute`,
        about,
      )
    : new HeraldError('post_not_live', `${start}the destination on ${platform} is not live`, about);
}

/** @throws HeraldError as {@link unpublishPost} */
function requireRemovable(
  { workspaceId, stageFeatures }: UnpublishContext,
  target: Target,
  accounts: FoundItems,
): void {
  const { platform, accountId, options, permalink = null } = target;
  if (unsettledCall(target.calls))
    throw new HeraldError(
      'call_may_take_effect',
      `the destination on ${platform} has a part whose outcome is unknown: say first whether it is live`,
    );
  const item = accounts.get(accountKey(workspaceId, accountId));
  const reason = reasonForPerson(target, item, options, stageFeatures);
  if (reason === undefined) return;
  throw new HeraldError(
    'removal_by_person',
    `the post on ${platform} of account ${accountId} can only be deleted there: ${reason}`,
    { param: 'accountIds', byPerson: { permalink } },
  );
}

/** Returns the reason for which only a person can delete the post of a target; `undefined` if a worker can. */
function reasonForPerson(
  target: Target,
  accountItem: Record<string, unknown> | undefined,
  options: Target['options'],
  stageFeatures: StageFeatures,
): string | undefined {
  const way = removalWay(target.platform, options);
  if (way.by === 'person') return way.why;
  if (accountItem === undefined) return 'the account is gone';
  if (idsToRemove(target).length === 0) return 'the platform has not named the post';
  const lack = lackOf(accountFromItem(accountItem), way.feature, stageFeatures);
  return lack === undefined ? undefined : `the account ${lack}`;
}

/** Returns the changes that ask for the removal of a target. A wake that it still had, such as for its first comment, is void. */
function requested(target: Target, nowMs: number): TargetChanges {
  const { timeline, attempt, removal } = target;
  const now = toTimestamp(nowMs);
  const { error: _error, errorDetail: _detail, ...earlier } = removal ?? {};
  const entry: TimelineEntry = {
    at: now,
    attempt,
    tryNumber: triesOf(timeline).at(-1),
    event: 'waiting',
    laterEvent: 'removal requested',
    calls: [],
  };
  return {
    removal: { ...earlier, state: 'requested', by: 'service', requestedAt: now },
    wakeAt: now,
    failures: 0,
    firstFailureAt: null,
    limitedSince: null,
    limitedUntil: null,
    timeline: appendEntry(timeline, entry),
  };
}
