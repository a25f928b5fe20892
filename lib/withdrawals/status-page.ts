import { type Html, html } from '../api-contract/pages/html.ts';
import { type Page, page } from '../api-contract/pages/page.ts';
import { conversationKeptDays } from '../automations/actions/new-actions.ts';
import { dayMs } from '../kernel/clock.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { webhookLimits } from '../webhooks/schemas.ts';
import type { Withdrawal } from './schemas.ts';

/**
 * The number of days for which copies of deleted data last. `docs/privacy.md` promises the same; `test/infra/privacy.test.ts`
 * compares both with the stacks.
 */
export const copiesKeptDays = {
  /** The days of DynamoDB's point-in-time recovery, which restores any second in them and cannot forget one item earlier. */
  backups: 35,
  /** The days for which production keeps logs. Lines have ids and no content. */
  logs: 90,
} as const;

/**
 * Builds the page that Meta shows to a person who asked for the deletion of their data: a human-readable explanation of the
 * status, with the reason for anything that is not deleted. It has no personal data, because anybody with its URL can read it.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback
 *
 * @param withdrawal undefined if no request has the code
 */
export function deletionStatusPage(withdrawal: Withdrawal | undefined, code: string): Page {
  // The code of a deauthorization is given to nobody.
  if (withdrawal?.request !== 'deletion') return unknownPage;
  const title = platformTitles[withdrawal.platform];
  return page({
    status: 200,
    title: withdrawal.status === 'complete' ? 'Your data is deleted' : 'Your data is being deleted',
    body: html`<p class="lead">You asked ${title} to have this service delete your data.</p>
${withdrawal.completedAt === undefined ? pending(withdrawal, title) : complete(withdrawal.completedAt, title)}
<p class="note">Confirmation code: ${code}</p>`,
  });
}

const unknownPage = page({
  status: 404,
  title: 'Unknown confirmation code',
  body: html`<p>No request for the deletion of data has this code. A request can be looked up for 400 days.</p>`,
});

function pending({ receivedAt }: Withdrawal, title: string): Html {
  return html`<p>The request arrived on ${minute(receivedAt)} and is not complete yet. It usually takes a few minutes: load this page again later.</p>
<p>These will be deleted:</p>
${deleted(title)}`;
}

function complete(completedAt: string, title: string): Html {
  const at = Date.parse(completedAt);
  const until = (days: number) => new Date(at + days * dayMs).toISOString().slice(0, 10);
  return html`<p>The request was completed on ${minute(completedAt)}. If this service had them, these are deleted:</p>
${deleted(title)}
<p>This is left, and why:</p>
<ul>
<li>Notices to the companies that use this service, which may name your account and contain comments and messages that were sent to it: until ${until(webhookLimits.keptDays)}, so that a company whose system was down can fetch them.</li>
<li>Ids of people who wrote to your account, of their comments and of the replies, without any text: for at most ${String(conversationKeptDays)} days, so that nobody is written to twice.</li>
<li>Backups of the database: until ${until(copiesKeptDays.backups)}. They are used only to repair it, and cannot be changed.</li>
<li>Technical logs, with ids and without content: until ${until(copiesKeptDays.logs)}, to find faults and abuse.</li>
<li>Posts that a company planned or published with this service. They belong to the company: ask it to delete them. What was published on ${title} can be deleted there.</li>
</ul>`;
}

const deleted = (title: string): Html => html`<ul>
<li>the permission to act for your accounts on ${title}</li>
<li>the ids, names and pictures of you and your accounts</li>
<li>comments and messages that were sent to your accounts</li>
</ul>`;

/** Formats a time as `2026-11-22 19:49 UTC`. */
const minute = (timestamp: string): string => `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
