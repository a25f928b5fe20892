import { seesAccount } from '../access/actor.ts';
import { findOwnAccount } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { readClicks } from '../links/clicks.ts';
import { batchGet } from '../table/batch-get.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Target } from '../targets/schemas.ts';
import { readCapWaitEnd } from './actions/private-reply-cap.ts';
import { postsNamed } from './answered-posts.ts';
import { readCounts } from './counts.ts';
import type { Automation } from './schemas.ts';
import { findAutomation, queryAutomations } from './store.ts';
import {
  type AutomationDetail,
  type AutomationView,
  type StartOfTarget,
  toAutomationDetail,
  toAutomationView,
} from './views.ts';

/**
 * Returns an automation of the workspace. Every operation on one automation gets it from here.
 *
 * @throws HeraldError `not_found`, also for a foreign automation, and for one of an account that the actor may not use
 */
export async function getAutomation(context: Context, automationId: string): Promise<Automation> {
  const automation = isId(automationId)
    ? await findAutomation(context.table, context.workspaceId, automationId)
    : undefined;
  if (!automation || !seesAccount(context.actor, automation.accountId)) throw notFound('comment automation');
  return automation;
}

/** Reads the destinations of the automations whose post of Herald is not live, as far as is known, with one request. */
async function readTargets(
  table: Table,
  automations: readonly Automation[],
): Promise<(automation: Automation) => StartOfTarget | undefined> {
  const keyOf = ({ workspaceId, accountId, platformPostId }: Automation) => {
    const posts = postsNamed(platformPostId);
    return posts.kind === 'herald post' ? targetKey(workspaceId, posts.postId, accountId) : undefined;
  };
  const keys = automations.flatMap((automation) => keyOf(automation) ?? []);
  if (keys.length === 0) return () => undefined;
  const found = await batchGet(table, keys, { isEventual: true });
  return (automation) => {
    const key = keyOf(automation);
    const item = key && found.get(key);
    return item && Target.pick({ status: true, platformPostId: true }).parse(item);
  };
}

/** Returns an automation in the API's form. */
export async function viewOf(table: Table, automation: Automation): Promise<AutomationView> {
  const targetOf = await readTargets(table, [automation]);
  return toAutomationView(automation, targetOf(automation));
}

/**
 * Returns an automation with its counts and waiting conversations.
 *
 * @throws HeraldError `not_found` as {@link getAutomation}
 */
export async function readAutomation(
  context: Context & { readonly linkBaseUrl: string },
  automationId: string,
): Promise<AutomationDetail> {
  const { table, linkBaseUrl } = context;
  const automation = await getAutomation(context, automationId);
  const codes = [...automation.links, ...(automation.formerLinks ?? [])].map(({ code }) => code);
  const [counts, clicks, targetOf] = await Promise.all([
    readCounts(table, automation.id),
    readClicks(table, codes),
    readTargets(table, [automation]),
  ]);
  const { hourly_limit: waiting = 0 } = counts.waiting;
  const account = waiting > 0 ? await findOwnAccount(context, automation.accountId) : undefined;
  const waitsUntilMs = account && (await readCapWaitEnd(table, account, { waiting, now: context.now }));
  return toAutomationDetail(automation, counts, clicks, {
    linkBaseUrl,
    waitsUntilMs,
    target: targetOf(automation),
  });
}

/**
 * Returns the automations of the accounts that the actor may use, newest first. A page may be shorter than `limit`: other
 * accounts' automations are removed after they are read, and DynamoDB ends a page at 1 MB, which also keeps it below Lambda's
 * response limit.
 *
 * @throws HeraldError `invalid` for a cursor that is not from this list
 */
export async function listAutomations(
  context: Context,
  query: { accountId?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ automations: AutomationView[]; nextCursor: string | null }> {
  const { accountId, limit } = query;
  const scope = { secret: context.cursorSecret, listing: 'automations', filters: { accountId } };
  const afterAutomationId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  const page = await queryAutomations(context.table, context.workspaceId, {
    accountId,
    limit,
    afterAutomationId,
  });
  const seen = page.automations.filter(({ accountId: of }) => seesAccount(context.actor, of));
  const targetOf = await readTargets(context.table, seen);
  return {
    automations: seen.map((automation) => toAutomationView(automation, targetOf(automation))),
    nextCursor: page.lastAutomationId === undefined ? null : sealCursor(scope, page.lastAutomationId),
  };
}
