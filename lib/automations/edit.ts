import { findOwnAccount } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { MessagingLimits } from '../platforms/contract/messaging.ts';
import { checkAutomation, requireFeatures, requireKeywords } from './check.ts';
import { distinctKeywords } from './matching/match-comment.ts';
import { getAutomation, viewOf } from './read.ts';
import type { EditAutomationBody } from './request-schemas.ts';
import { type Automation, automationSubject } from './schemas.ts';
import { deleteAutomation, replaceAutomation } from './store.ts';
import { type AutomationLinks, linksOf } from './tracked-links.ts';
import type { AutomationView } from './views.ts';

export interface EditAutomationContext extends Context {
  /** The public address of the redirect, without a final slash. */
  readonly linkBaseUrl: string;
  /** The limits of the one platform that has automations. */
  readonly limits: MessagingLimits;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
}

/** The number of tries on version conflicts with other requests. */
const maxTries = 10;

/**
 * Changes the given fields of an automation. Addresses that stay in its message and buttons keep their links. Waiting messages
 * are sent with the new texts.
 *
 * @throws HeraldError `not_found` as {@link getAutomation}; `invalid` if the changed automation has parts that are not compatible
 *   or that the platform would refuse, or if the account lacks a feature for them; `conflict` if too many requests change it at
 *   the same time
 */
export async function editAutomation(
  context: EditAutomationContext,
  automationId: string,
  body: EditAutomationBody,
): Promise<AutomationView> {
  const { table, now, limits, linkBaseUrl, stageFeatures } = context;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const before = await getAutomation(context, automationId);
    if (Object.values(body).every((value) => value === undefined)) return viewOf(context.table, before);
    const { automation, added } = changed(before, body, now);
    if (body.keywords !== undefined) requireKeywords(automation);
    if (changesMessages(body)) {
      checkAutomation(automation, limits, linkBaseUrl);
      const account = await findOwnAccount(context, before.accountId);
      if (account) requireFeatures(automation, account, stageFeatures);
    }
    const audit = [auditPart(context, automationSubject(before))];
    const outcome = await replaceAutomation(table, before, automation, added, audit);
    if (outcome === 'stored') return viewOf(table, automation);
  }
  throw busy();
}

/** True if a change affects the messages. Other changes need no check: switching off must always be possible. */
function changesMessages({
  commentReply,
  dmMessage,
  buttons,
  followGate,
  trackLinks,
}: EditAutomationBody): boolean {
  return [commentReply, dmMessage, buttons, followGate, trackLinks].some((value) => value !== undefined);
}

function changed(
  before: Automation,
  body: EditAutomationBody,
  now: number,
): { automation: Automation; added: AutomationLinks['added'] } {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const merged: Automation = { ...before, ...given };
  const { links, formerLinks, added } = linksOf(merged, before);
  const automation = {
    ...merged,
    keywords: distinctKeywords(merged.keywords),
    links,
    formerLinks,
    updatedAt: toTimestamp(now),
    version: before.version + 1,
  };
  return { automation, added };
}

/**
 * Deletes an automation. It answers no more comments, and its post may get another one. Links that were sent keep working.
 *
 * @throws HeraldError `not_found` as {@link getAutomation}; `conflict` if too many requests change it at the same time
 */
export async function removeAutomation(context: Context, automationId: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const automation = await getAutomation(context, automationId);
    const audit = [auditPart(context, automationSubject(automation))];
    if ((await deleteAutomation(context.table, automation, audit)) === 'deleted') return;
  }
  throw busy();
}

function busy(): HeraldError {
  return new HeraldError(
    'changed_concurrently',
    'automation: many requests are changing it at the same time; try again',
  );
}
