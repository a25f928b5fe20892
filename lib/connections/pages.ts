import { type Html, html } from '../api-contract/pages/html.ts';
import { type Page, page } from '../api-contract/pages/page.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { describeError } from './errors.ts';
import { choicePage, introductionPage, nameOf } from './form-pages.ts';
import type { ConnectionOutcome } from './outcome.ts';
import { withResult } from './redirect-url.ts';

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

function connectedPage({ accounts, workspaceName }: Extract<ConnectionOutcome, { kind: 'connected' }>): Page {
  const names = accounts.map(
    (account) => html`<li>${nameOf(account)} (${platformTitles[account.platform]})</li>`,
  );
  return page({
    status: 200,
    title: accounts.length === 1 ? 'The account is connected' : 'The accounts are connected',
    body: html`<p><b><bdi>${workspaceName}</bdi></b> can now publish as:</p><ul>${names}</ul><p>You can close this page.</p>`,
  });
}
