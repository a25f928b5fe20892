import { type Html, html } from '../api-contract/pages/html.ts';
import { type Page, page } from '../api-contract/pages/page.ts';
import { type ConnectionOutcome, platformTitles } from './outcome.ts';
import { withResult } from './redirect-url.ts';
import type { Candidate } from './schemas.ts';

/** The reply to the browser: a redirect or a page. */
export type BrowserAnswer = { readonly redirectTo: string } | Page;

/** Redirects to where the user came from or, if that is not known, shows a page with the result. */
export function answerTo(outcome: ConnectionOutcome): BrowserAnswer {
  switch (outcome.kind) {
    case 'several':
      return { redirectTo: outcome.choiceUrl };
    case 'choose':
      return choicePage(outcome);
    case 'connected': {
      const ids = outcome.accounts.map(({ id }) => id).join(',');
      return outcome.redirectUrl === undefined
        ? connectedPage(outcome)
        : { redirectTo: withResult(outcome.redirectUrl, 'connected', ids) };
    }
    case 'refused':
      return outcome.redirectUrl === undefined
        ? refusalPage(outcome.reason)
        : { redirectTo: withResult(outcome.redirectUrl, 'error', outcome.reason) };
  }
}

function refusalPage(reason: string): Page {
  return page({
    status: 400,
    title: 'The account was not connected',
    body: html`<p role="alert">${reason}</p>`,
  });
}

function connectedPage({ accounts }: Extract<ConnectionOutcome, { kind: 'connected' }>): Page {
  const names = accounts.map(
    (account) => html`<li>${nameOf(account)} (${platformTitles[account.platform]})</li>`,
  );
  return page({
    status: 200,
    title: accounts.length === 1 ? 'The account is connected' : 'The accounts are connected',
    body: html`<ul>${names}</ul><p>You can close this page.</p>`,
  });
}

function choicePage(choice: Extract<ConnectionOutcome, { kind: 'choose' }>): Page {
  const { platform, token, candidates, problem, redirectUrl } = choice;
  const title = `Choose ${platformTitles[platform]} accounts`;
  return page({
    status: problem === undefined ? 200 : 400,
    title,
    imageUrls: candidates.flatMap(({ avatarUrl }) => (isWebAddress(avatarUrl) ? [avatarUrl] : [])),
    formLeadsTo: redirectUrl,
    body: html`${problem === undefined ? '' : html`<p role="alert">${problem}</p>`}
<form method="post" action="choose">
<input type="hidden" name="choice" value="${token}">
<fieldset>
<legend>This login has several accounts. Which of them should be connected?</legend>
${candidates.map(candidateRow)}
</fieldset>
<button type="submit">Connect</button>
</form>`,
  });
}

function candidateRow(candidate: Candidate): Html {
  const { platformAccountId, username, displayName, avatarUrl } = candidate;
  const name = nameOf(candidate);
  const picture = isWebAddress(avatarUrl)
    ? html`<img src="${avatarUrl}" alt="" width="40" height="40" referrerpolicy="no-referrer">`
    : html`<span class="initial" aria-hidden="true">${[...name][0] ?? ''}</span>`;
  const detail = displayName !== null && username !== null ? html`<small>${username}</small>` : '';
  return html`<label><input type="checkbox" name="account" value="${platformAccountId}">${picture}<span>${name}${detail}</span></label>
`;
}

function nameOf(account: Pick<Candidate, 'displayName' | 'username' | 'platformAccountId'>): string {
  return account.displayName ?? account.username ?? account.platformAccountId;
}

function isWebAddress(url: string | null): url is string {
  const protocol = url === null ? undefined : URL.parse(url)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
