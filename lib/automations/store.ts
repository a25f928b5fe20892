import { toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { linkWrites, type TrackedLink } from '../links/plan.ts';
import { absent } from '../table/condition.ts';
import { getItem, type Item, updateItem } from '../table/items.ts';
import {
  automationKey,
  automationPartition,
  automationPostKey,
  automationPostsPartition,
  automationsPartition,
  intakeShard,
  type Key,
} from '../table/keys.ts';
import { ownedNamePart } from '../table/owned-names.ts';
import { countAll, queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import { nameOf, postsNamed, ruleNamePrefix } from './answered-posts.ts';
import { automationLimits } from './limits.ts';
import { Automation, automationLifeCycle, automationState } from './schemas.ts';

/** Posts of an account, by the name that `nameOf` gives them. */
export type AutomatedPost = Pick<Automation, 'workspaceId' | 'accountId' | 'platformPostId'>;

/** Returns the attributes by which the sweep finds an item of the intake. @param dueMs epoch milliseconds */
export const intakeDue = ({ pk, sk }: Key, dueMs: number) => ({
  dueShard: intakeShard(sha256(`${pk}\n${sk}`)),
  dueAt: toTimestamp(dueMs),
});

/** The changes after which the sweep no longer finds an item of the intake. */
export const noLongerDue = { dueShard: removed, dueAt: removed };

/** Reads an automation, strongly consistent; `undefined` if the id is unknown or foreign. */
export async function findAutomation(
  table: Table,
  workspaceId: string,
  automationId: string,
): Promise<Automation | undefined> {
  const item = await getItem(table, automationKey(workspaceId, automationId));
  return item && Automation.parse(item);
}

/** Reads the one automation of these posts, strongly consistent, whether it is active or not. */
export async function findAutomationOfPost(
  table: Table,
  { workspaceId, accountId, platformPostId }: AutomatedPost,
): Promise<Automation | undefined> {
  const holder = await getItem(table, automationPostKey(workspaceId, accountId, platformPostId));
  return holder && findAutomation(table, workspaceId, String(holder['automationId']));
}

/**
 * Reads the claims of an account's automations that are not about one known post at the platform, strongly consistent: those of
 * the next and of every post first.
 */
export async function readRules(
  table: Table,
  workspaceId: string,
  accountId: string,
): Promise<readonly Item[]> {
  const { items } = await queryPage(table, {
    partition: automationPostsPartition(workspaceId, accountId),
    sort: { beginsWith: ruleNamePrefix },
    limit: automationLimits.attachedPerAccount + 2,
  });
  return items;
}

/**
 * Returns one page of a workspace's automations, newest first.
 *
 * @param options.limit the number to read; the filter by account removes some of them
 */
export async function queryAutomations(
  table: Table,
  workspaceId: string,
  options: { accountId?: string | undefined; limit: number; afterAutomationId?: string | undefined },
): Promise<{ automations: Automation[]; lastAutomationId: string | undefined }> {
  const { accountId, limit, afterAutomationId } = options;
  const { items, lastKey } = await queryPage(table, {
    partition: automationsPartition(workspaceId),
    filter: accountId === undefined ? undefined : { accountId },
    limit,
    descending: true,
    after: afterAutomationId ? automationKey(workspaceId, afterAutomationId) : undefined,
  });
  return {
    automations: readableItems(table, items, (item) => Automation.parse(item)),
    lastAutomationId: lastKey && String(lastKey['sk']),
  };
}

/** Counts the active automations of an account, strongly consistent. Reads all automations of the workspace: 1 MB per request. */
export function countActiveAutomations(
  table: Table,
  workspaceId: string,
  accountId: string,
): Promise<number> {
  return countAll(table, {
    partition: automationsPartition(workspaceId),
    filter: { accountId, isActive: true },
  });
}

/** Returns the item by which an automation claims its posts. @param lookMs the time to look at the claim, in epoch milliseconds */
function claimItem(
  { workspaceId, accountId, platformPostId, id }: Automation,
  lookMs: number | undefined,
): Item {
  const key = automationPostKey(workspaceId, accountId, platformPostId);
  const due = lookMs === undefined ? {} : intakeDue(key, lookMs);
  return { ...key, kind: 'automationPost', workspaceId, accountId, automationId: id, ...due };
}

/**
 * Stores a new automation, its links and its claim on the post, in one transaction. Returns `post taken` if the post has an
 * automation.
 *
 * @param audit the entry of the audit log, here and below
 */
export async function insertAutomation(
  table: Table,
  automation: Automation,
  audit: TransactionItems = [],
): Promise<'stored' | 'post taken'> {
  const { id } = automation;
  const { kind } = postsNamed(automation.platformPostId);
  const lookMs = kind === 'herald post' ? Date.parse(automation.createdAt) : undefined;
  const writes = [
    putPart(table, claimItem(automation, lookMs), { pk: absent }),
    putPart(table, automationItem(automation), { pk: absent }),
    ...newLinks(table, automation, automation.links),
    ownedName(table, automation, automation.links),
    ...audit,
  ];
  const outcome = await transact(table, writes);
  if (outcome.committed) return 'stored';
  if (outcome.failedIndex === 0) return 'post taken';
  throw new Error(`the id ${id} of an automation or a code of one of its links is taken`);
}

/**
 * Gives an automation of a post that was not live, or of the next post, the post's id at the platform, in one transaction with its
 * claim. The comments on the post are then due to be read, because some may have arrived before.
 *
 * @param now epoch milliseconds
 * @returns `not started` if the automation has changed or was deleted since it was read, or the post has another automation
 */
export async function startAutomation(
  table: Table,
  before: Automation,
  platformPostId: string,
  now: number,
): Promise<'started' | 'not started'> {
  const { workspaceId, accountId, id, version } = before;
  const isNext = postsNamed(before.platformPostId).kind === 'next post';
  const name = nameOf({ kind: isNext ? 'next post' : 'post', platformPostId });
  const after = { ...before, platformPostId: name, version: version + 1 };
  const outcome = await transact(table, [
    updatePart(table, automationKey(workspaceId, id), {
      set: { platformPostId: name, version: after.version },
      if: { version },
    }),
    putPart(table, claimItem(after, now), { pk: absent }),
    deletePart(table, automationPostKey(workspaceId, accountId, before.platformPostId), { automationId: id }),
  ]);
  return outcome.committed ? 'started' : 'not started';
}

/** Changes when a claim must be looked at again, unless that has changed since it was read. @param lookMs epoch milliseconds */
export async function postponeClaim(
  table: Table,
  claim: Item,
  lookMs: number | undefined,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const key = { pk: String(claim['pk']), sk: String(claim['sk']) };
  const due = lookMs === undefined ? noLongerDue : intakeDue(key, lookMs);
  const { written } = await updateItem(table, key, {
    set: { ...changes, ...due },
    if: { automationId: claim['automationId'], dueAt: claim['dueAt'] },
  });
  return written;
}

/**
 * Replaces an automation and stores its new links, in one transaction.
 *
 * @param before the automation as it was read; `undefined` if it was deleted
 * @returns `changed` if a client has changed or deleted it since: the caller must read it again
 * @throws ForbiddenMoveError if it was deleted: it cannot be restored
 */
export async function replaceAutomation(
  table: Table,
  before: Automation | undefined,
  after: Automation,
  addedLinks: readonly TrackedLink[],
  audit: TransactionItems = [],
): Promise<'stored' | 'changed'> {
  requireMove('automation', automationLifeCycle, automationState(before), automationState(after));
  const outcome = await transact(table, [
    putPart(table, automationItem(after), { version: before?.version }),
    ...newLinks(table, after, addedLinks),
    ...(addedLinks.length > 0 ? [ownedName(table, after, addedLinks)] : []),
    ...audit,
  ]);
  if (outcome.committed) return 'stored';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(`a code of a new link of the automation ${after.id} is taken`);
}

/**
 * Deletes an automation and its claim on the post. Its links stay.
 *
 * @returns `changed` if a client has changed or deleted it since it was read
 */
export async function deleteAutomation(
  table: Table,
  automation: Automation,
  audit: TransactionItems = [],
): Promise<'deleted' | 'changed'> {
  const { workspaceId, accountId, platformPostId, id, version } = automation;
  requireMove('automation', automationLifeCycle, automationState(automation), 'deleted');
  const outcome = await transact(table, [
    deletePart(table, automationKey(workspaceId, id), { version }),
    deletePart(table, automationPostKey(workspaceId, accountId, platformPostId), { automationId: id }),
    ...audit,
  ]);
  if (outcome.committed) return 'deleted';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(`the workspace ${workspaceId} does not hold the post of its automation ${id}`);
}

function automationItem(automation: Automation): Record<string, unknown> {
  return { ...automationKey(automation.workspaceId, automation.id), kind: 'automation', ...automation };
}

/**
 * Returns the part that lets the erasure of the workspace find the automation's actions and links, even if it is deleted or has
 * dropped the links.
 */
function ownedName(
  table: Table,
  { workspaceId, id }: Automation,
  links: readonly TrackedLink[],
): TransactionItems[number] {
  const codes = links.map(({ code }) => code);
  return ownedNamePart(table, workspaceId, automationPartition(id), codes);
}

function newLinks(table: Table, automation: Automation, links: readonly TrackedLink[]): TransactionItems {
  const { workspaceId, id: automationId, updatedAt: createdAt } = automation;
  return linkWrites(table, links, { workspaceId, automationId, createdAt });
}
