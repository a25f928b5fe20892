import { accountFromItem } from '../accounts/store.ts';
import type { Context } from '../api-contract/context.ts';
import { secondMs } from '../kernel/clock.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import { isStory } from '../platforms/registry/numbers.ts';
import { readPost } from '../posts/read.ts';
import { byPosition } from '../posts/view/to-view.ts';
import { batchGet } from '../table/batch-get.ts';
import { accountKey, postNumbersKey } from '../table/keys.ts';
import { isExpired } from '../table/retention.ts';
import type { Target } from '../targets/schemas.ts';
import { isLive } from '../targets/state.ts';
import { type AskPorts, askAccount, type FreshNumbers } from './ask-account.ts';
import { kindOf, numbersLack } from './lack.ts';
import { type NumbersRow, numbersFromItem } from './numbers-row.ts';
import type { PostMetricsView } from './schemas.ts';
import { type Shown, toTargetMetrics } from './view.ts';

export interface PostMetricsContext extends Context {
  readonly stageFeatures: StageFeatures;
  readonly asking: AskPorts;
}

/**
 * Returns the numbers of each destination of a post. With `fresh`, asks the platforms first for those that are older than 15 minutes.
 *
 * @throws HeraldError `not_found` as `readPost`
 */
export async function readPostMetrics(
  context: PostMetricsContext,
  postId: string,
  { fresh = false }: { readonly fresh?: boolean | undefined } = {},
): Promise<PostMetricsView> {
  const { table, now, workspaceId } = context;
  const found = await readPost(context, postId);
  const targets = byPosition(found.targets);
  const items = await batchGet(table, [
    ...targets.map(({ accountId }) => accountKey(workspaceId, accountId)),
    ...targets.flatMap((target) => (isPublished(target) ? [postNumbersKey(target)] : [])),
  ]);
  const shown = targets.map(
    (target): Shown & { readonly accountItem: Record<string, unknown> | undefined } => {
      const accountItem = items.get(accountKey(workspaceId, target.accountId));
      const account = accountItem && accountFromItem(accountItem);
      const row = isPublished(target) ? rowFrom(items.get(postNumbersKey(target)), now) : undefined;
      const { accountId, platform, platformPostId, publishedAt, removedAt } = target;
      const live = isPublished(target) ? { platformPostId, publishedAt, removedAt } : {};
      return {
        accountItem,
        row,
        target: {
          ...{ accountId, platform, ...live },
          isStory: isStory(platform, target.options),
          as: row?.as ?? (account && kindOf(account)),
        },
        lack: numbersLack(account, platform, context.stageFeatures),
      };
    },
  );
  const answers = fresh ? await Promise.all(shown.map((each) => inTime(refresh(context, postId, each)))) : [];
  return {
    postId,
    targets: shown.map((each, index) => toTargetMetrics({ ...each, ...answers[index] }, now)),
  };
}

/** The time for which a client waits for the platforms. One call may take longer, and some questions are several calls. */
const patienceMs = 15 * secondMs;

/** Returns `undefined` if an answer does not come in time. What comes later may still be stored. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), patienceMs);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const isPublished = (target: Target): target is Target & { publishedAt: string } =>
  isLive(target.status) && target.publishedAt !== undefined;

const rowFrom = (item: Record<string, unknown> | undefined, now: number): NumbersRow | undefined =>
  item === undefined || isExpired(item, now) ? undefined : numbersFromItem(item);

/** Asks the platform about one destination, if it may be asked now. */
async function refresh(
  { workspaceId, asking }: PostMetricsContext,
  postId: string,
  { target, row, lack, accountItem }: Shown & { readonly accountItem: Record<string, unknown> | undefined },
): Promise<FreshNumbers | undefined> {
  const { platformPostId, publishedAt, removedAt } = target;
  if (platformPostId === undefined || publishedAt === undefined || removedAt !== undefined) return undefined;
  if (lack !== undefined || accountItem === undefined) return undefined;
  const live = { ...target, workspaceId, postId, platformPostId, publishedAt };
  return askAccount(asking, accountFromItem(accountItem), live, row);
}
