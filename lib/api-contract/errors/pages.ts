import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { type Html, html } from '../pages/html.ts';
import { type Page, page } from '../pages/page.ts';
import { statusOf } from './statuses.ts';
import { errorTexts } from './texts.ts';

/** A reason that a destination has failed or waits: a code of `errorDetail`. */
export interface DescribedOutcome {
  readonly category: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** The described outcomes by code. A code may belong to responses and to destinations at the same time. */
export type Outcomes = Readonly<Record<string, DescribedOutcome>>;

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Renders a code of `errorCodes`, with an example of a response that has it. */
function ofResponse(code: ErrorCode, docUrl: string): Html {
  const { meaning, remedy } = errorTexts[code];
  const status = statusOf[errorCodes[code]];
  const example = JSON.stringify(exampleBody(code, docUrl), undefined, 2);
  return html`<h2>As the answer to a request: status ${String(status)}</h2>
<p>${withCode(meaning)}</p>
<p><strong>What to do:</strong> ${withCode(remedy)}</p>
<pre>${example}</pre>`;
}

/** Returns the example of an error's body. If the error is about a field, `param` names it. */
function exampleBody(code: ErrorCode, docUrl: string): object {
  const { meaning } = errorTexts[code];
  if (errorCodes[code] !== 'invalid') return { error: meaning, code, docUrl };
  const param = exampleParam(code);
  return {
    error: `${param}: …`,
    code,
    param,
    docUrl,
    details: { fields: { [param]: ['…'] }, problems: [{ param, code, message: '…' }] },
  };
}

/** Returns a field that errors with this code are often about. */
function exampleParam(code: ErrorCode): string {
  if (/^(content|alt_text)_/.test(code)) return code.startsWith('alt') ? 'mediaItems[0].altText' : 'content';
  if (code.startsWith('media_')) return 'mediaItems[0]';
  if (code.startsWith('option_')) return 'platforms[0].platformSpecificData.title';
  if (/^(account|feature|platform)_/.test(code)) return 'platforms[0].accountId';
  if (/^(time|slot|quota)_/.test(code)) return 'scheduledFor';
  const params: Partial<Record<ErrorCode, string>> = {
    body_malformed: 'body',
    cursor_invalid: 'cursor',
    cover_not_supported: 'coverUrl',
    range_empty: 'to',
    range_too_long: 'to',
    claim_code_wrong: 'code',
    redirect_host_not_allowed: 'redirectUrl',
    too_many_webhooks: 'url',
    too_many_tags: 'tags',
    too_many_snippets: 'content',
    snippet_unknown: 'snippets[0].id',
    url_not_allowed: 'url',
  };
  return params[code] ?? 'platforms';
}

function ofDestination({ category, meaning, remedy }: DescribedOutcome): Html {
  return html`<h2>As the <code>errorDetail</code> of a destination: category ${category}</h2>
<p>${withCode(meaning)}</p>
<p><strong>What to do:</strong> ${withCode(remedy)}</p>`;
}

/**
 * Returns the page of one code, or a page with status 404 if there is no such code.
 *
 * @param docUrl the page's own URL
 */
export function errorPage(code: string, outcomes: Outcomes, docUrl: string): Page {
  const outcome = Object.hasOwn(outcomes, code) ? outcomes[code] : undefined;
  const sections = [
    ...(isErrorCode(code) ? [ofResponse(code, docUrl)] : []),
    ...(outcome ? [ofDestination(outcome)] : []),
  ];
  const toList = html`<p><a href="../errors">All error codes</a></p>`;
  if (sections.length === 0) {
    return page({
      status: 404,
      title: 'No such error code',
      body: html`<p>The service has no error with this code.</p>${toList}`,
    });
  }
  return page({ status: 200, title: code, body: html`${sections}${toList}` });
}

/** Returns the list of all codes, by status. */
export function errorListPage(outcomes: Outcomes): Page {
  const byStatus = Map.groupBy(
    Object.keys(errorCodes).filter(isErrorCode),
    (code) => statusOf[errorCodes[code]],
  );
  const ofStatus = [...byStatus].map(
    ([status, codes]) => html`<h2>Status ${String(status)}</h2>
<dl>${codes.map((code) => entry(code, errorTexts[code].meaning))}</dl>`,
  );
  const ofDestinations = Object.entries(outcomes).map(([code, { meaning }]) => entry(code, meaning));
  return page({
    status: 200,
    title: 'Error codes',
    body: html`<p>Every error has a <code>code</code>. A code is stable; more may be added.</p>
${ofStatus}
<h2>Destinations of posts</h2>
<p>The codes of <code>errorDetail</code>: why a destination waits or has failed.</p>
<dl>${ofDestinations}</dl>`,
  });
}

const entry = (code: string, meaning: string): Html =>
  html`<dt><a href="errors/${code}"><code>${code}</code></a></dt><dd>${withCode(meaning)}</dd>`;

/** Renders the parts between backquotes as code. */
function withCode(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}
