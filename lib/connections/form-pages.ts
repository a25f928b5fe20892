import { type Html, html } from '../api-contract/pages/html.ts';
import { type Page, page } from '../api-contract/pages/page.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import type { ChoiceOutcome, ConnectionOutcome } from './outcome.ts';
import type { Candidate } from './schemas.ts';

type Introduction = Extract<ConnectionOutcome, { kind: 'introduction' }>;

/** Builds the page behind `authUrl`: who asks, for what, and what happens next. */
export function introductionPage(introduction: Introduction): Page {
  const { platform, state, workspaceName, redirectUrl, platformUrl } = introduction;
  const title = platformTitles[platform];
  const workspace = workspaceHtml(workspaceName);
  return page({
    status: 200,
    title: `Connect ${title}`,
    formLeadsTo: platformUrl,
    body: html`<p class="lead">${workspace} asks to publish as you on ${title}.</p>
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
export function choicePage(choice: ChoiceOutcome): Page {
  const { platform, state, workspaceName, candidates, problem, redirectUrl } = choice;
  const workspace = workspaceHtml(workspaceName);
  const noun = candidates.length === 1 ? 'account' : 'accounts';
  return page({
    status: problem === undefined ? 200 : 400,
    title: `Connect your ${platformTitles[platform]} ${noun}?`,
    imageUrls: candidates.flatMap(({ avatarUrl }) => (isWebAddress(avatarUrl) ? [avatarUrl] : [])),
    formLeadsTo: redirectUrl,
    body: html`${problem === undefined ? '' : html`<p role="alert">${problem}</p>`}
<p class="lead">${workspace} will be able to ${powersOn(platform)}, until you disconnect.</p>
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
const workspaceHtml = (name: string): Html => html`<b><bdi>${name}</bdi></b>`;

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

/** Returns the best name that an account has. */
export function nameOf(account: Pick<Candidate, 'displayName' | 'username' | 'platformAccountId'>): string {
  return account.displayName ?? account.username ?? account.platformAccountId;
}

function isWebAddress(url: string | null): url is string {
  const protocol = url === null ? undefined : URL.parse(url)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
