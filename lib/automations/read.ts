import { seesAccount } from '../access/actor.ts';
import { findOwnAccount } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { readClicks } from '../links/clicks.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { readCapWaitEnd } from './actions/private-reply-cap.ts';
import { readCounts } from './counts.ts';
import type { Automation } from './schemas.ts';
import { findAutomation, queryAutomations } from './store.ts';
import { type AutomationDetail, type AutomationView, toAutomationDetail, toAutomationView } from './views.ts';

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
  const [counts, clicks] = await Promise.all([readCounts(table, automation.id), readClicks(table, codes)]);
  const { hourly_limit: waiting = 0 } = counts.waiting;
  const account = waiting > 0 ? await findOwnAccount(context, automation.accountId) : undefined;
  const waitsUntilMs = account && (await readCapWaitEnd(table, account, { waiting, now: context.now }));
  return toAutomationDetail(automation, counts, clicks, { linkBaseUrl, waitsUntilMs });
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
  return {
    automations: page.automations
      .filter((automation) => seesAccount(context.actor, automation.accountId))
      .map(toAutomationView),
    nextCursor: page.lastAutomationId === undefined ? null : sealCursor(scope, page.lastAutomationId),
  };
}
