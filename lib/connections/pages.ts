import type { Account } from '../accounts/schemas.ts';
import { type Html, html } from '../api-contract/pages/html.ts';
import { type Page, page } from '../api-contract/pages/page.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import { describeError } from './errors.ts';
import type { ChoiceOutcome, ConnectionOutcome, NamedWorkspace } from './outcome.ts';
import { withResult } from './redirect-url.ts';
import { type Candidate, nameOf } from './schemas.ts';

/** The reply to the browser: a redirect or a page. The browser keeps the secret in a cookie. */
export type BrowserAnswer = ({ readonly redirectTo: string } | Page) & { readonly browserSecret?: string };

/** Redirects to the page from which the user came or, if it is unknown, shows a page with the result. */
export function answerTo(outcome: ConnectionOutcome): BrowserAnswer {
  switch (outcome.kind) {
    case 'introduction':
      return introductionPage(outcome);
    case 'continue':
      return { redirectTo: outcome.url, browserSecret: outcome.browserSecret };
    case 'choose':
      return choicePage(outcome);
    case 'connected': {
      const connected = outcome.accounts.map(({ id }) => id).join(',');
      return outcome.redirectUrl === undefined
        ? connectedPage(outcome)
        : { redirectTo: withResult(outcome.redirectUrl, { connected }) };
    }
    case 'chosen': {
      const { redirectUrl, code, state } = outcome;
      return { redirectTo: withResult(redirectUrl, { code, state }) };
    }
    case 'confirmed before':
      return { redirectTo: withResult(outcome.redirectUrl, outcome.result) };
    case 'refused': {
      const { redirectUrl, error, platform } = outcome;
      if (redirectUrl !== undefined) return { redirectTo: withResult(redirectUrl, { error }) };
      return nothingConnected(html`<p role="alert">${describeError(error, platform)}</p>`);
    }
    case 'unusable':
      return unusablePage(outcome);
  }
}

type Unusable = Extract<ConnectionOutcome, { kind: 'unusable' }>;

const unusableReasons: Readonly<Record<Exclude<Unusable['why'], 'completed'>, string>> = {
  unknown: 'This link is not valid.',
  'wrong platform': 'This link belongs to another platform.',
  'other browser': 'This link was opened in another browser, or more than ten minutes ago.',
  used: 'This link has already been used.',
  expired: 'This took longer than ten minutes, so the link has expired.',
  'foreign form': 'This form was not sent from its own page.',
};

const cookieAdvice =
  'Only the browser that began can continue. If you block cookies, allow them for this site. ';

function unusablePage({ why, continueAt }: Unusable): Page {
  if (why === 'completed') {
    return page({
      status: 200,
      title: 'This is done',
      body: html`<p>You have already confirmed. You can close this page.</p>`,
    });
  }
  const advice =
    continueAt === undefined
      ? html`<p>${why === 'other browser' ? cookieAdvice : ''}Go back to where you came from and connect the account again.</p>`
      : html`<p><a class="button" href="${continueAt}">Continue</a></p>`;
  return nothingConnected(html`<p role="alert">${unusableReasons[why]}</p>${advice}`);
}

function nothingConnected(body: Html): Page {
  return page({ status: 400, title: 'No account was connected', body });
}

function connectedPage({
  accounts,
  lost,
  workspace,
}: Extract<ConnectionOutcome, { kind: 'connected' }>): Page {
  const names = accounts.map(
    (account) => html`<li>${nameOf(account)} (${platformTitles[account.platform]})</li>`,
  );
  return page({
    status: 200,
    title: accounts.length === 1 ? 'The account is connected' : 'The accounts are connected',
    body: html`<p>${workspaceHtml(workspace)} can now publish as:</p><ul>${names}</ul>${lostHtml(lost)}${idHtml(workspace)}<p>You can close this page.</p>`,
  });
}

type Introduction = Extract<ConnectionOutcome, { kind: 'introduction' }>;

/** Builds the page behind `authUrl`: who asks, for what, and what happens next. */
function introductionPage(introduction: Introduction): Page {
  const { platform, state, workspace, redirectUrl, platformUrl } = introduction;
  const title = platformTitles[platform];
  return page({
    status: 200,
    title: `Connect ${title}`,
    formLeadsTo: platformUrl,
    body: html`<p class="lead">${workspaceHtml(workspace)} asks to publish as you on ${title}.</p>
${idHtml(workspace)}
<ol>
<li>You sign in at ${title} and allow access. Your password stays there.</li>
<li>You come back here and choose what to connect. Nothing is connected before you confirm.</li>${
      redirectUrl === undefined
        ? ''
        : html`
<li>You return to <b>${new URL(redirectUrl).host}</b>.</li>`
    }
</ol>
<p class="note">Continue only if you started this yourself. If somebody sent you this link, do not continue: they could publish as you.</p>
<form method="post" action="begin">
<input type="hidden" name="state" value="${state}">
<button type="submit">Continue to ${title}</button>
</form>`,
  });
}

/** Builds the page to choose accounts and to confirm the workspace that gets them. A single account is selected already. */
function choicePage(choice: ChoiceOutcome): Page {
  const { platform, state, workspace, candidates, lost, problem, redirectUrl } = choice;
  const noun = candidates.length === 1 ? 'account' : 'accounts';
  return page({
    status: problem === undefined ? 200 : 400,
    title: `Connect your ${platformTitles[platform]} ${noun}?`,
    imageUrls: candidates.flatMap(({ avatarUrl }) => (isWebAddress(avatarUrl) ? [avatarUrl] : [])),
    formLeadsTo: redirectUrl,
    body: html`${problem === undefined ? '' : html`<p role="alert">${problem}</p>`}
<p class="lead">${workspaceHtml(workspace)} will be able to ${powersOn(platform)}, until you disconnect.</p>
${idHtml(workspace)}
${lostHtml(lost)}
<form method="post" action="choose">
<input type="hidden" name="state" value="${state}">
<fieldset>
<legend>${candidates.length === 1 ? 'This account:' : 'Choose the accounts:'}</legend>
${candidates.map((candidate) => candidateRow(candidate, candidates.length === 1))}
</fieldset>
<p class="buttons"><button type="submit" name="answer" value="connect">Connect</button>
<button type="submit" name="answer" value="cancel" class="plain">Cancel</button></p>
</form>`,
  });
}

function powersOn(platform: Platform): string {
  return platform === 'instagram'
    ? 'publish as you, and to read and answer comments and messages'
    : 'publish as you';
}

/** Renders a workspace's name. A name may be written right to left; `bdi` keeps it from reordering the text around it. */
const workspaceHtml = ({ name }: NamedWorkspace): Html => html`<b><bdi>${name}</bdi></b>`;

/** Renders the id, because two workspaces may have names that look the same. */
const idHtml = ({ id }: NamedWorkspace): Html => html`<p class="note">Workspace id: <code>${id}</code></p>`;

/** Renders the accounts that the login has taken away, and what helps. */
function lostHtml(lost: readonly Account[]): Html | '' {
  if (lost.length === 0) return '';
  const names = lost.map((account) => html`<li><bdi>${nameOf(account)}</bdi></li>`);
  return html`<p role="alert">This login does not include accounts that were connected before. Nothing can be published there now:</p><ul>${names}</ul>
<p class="note">To keep them, connect again and select all of them.</p>`;
}

function candidateRow(candidate: Candidate, isChecked: boolean): Html {
  const { platformAccountId, username, displayName, avatarUrl } = candidate;
  const name = nameOf(candidate);
  const picture = isWebAddress(avatarUrl)
    ? html`<img src="${avatarUrl}" alt="" width="40" height="40" referrerpolicy="no-referrer">`
    : html`<span class="initial" aria-hidden="true">${[...name][0] ?? ''}</span>`;
  const detail = displayName !== null && username !== null ? html`<small>${username}</small>` : '';
  const checked = isChecked ? html` checked` : '';
  return html`<label><input type="checkbox" name="account" value="${platformAccountId}"${checked}>${picture}<span>${name}${detail}</span></label>
`;
}

function isWebAddress(url: string | null): url is string {
  const protocol = url === null ? undefined : URL.parse(url)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
