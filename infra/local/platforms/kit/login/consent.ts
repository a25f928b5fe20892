import { escapeHtml, html, redirect } from '../answers.ts';
import type { Answer, Call } from '../types.ts';

/** What the person at the consent page has done so far. */
export type ConsentDecision =
  | { readonly kind: 'ask' }
  | { readonly kind: 'deny' }
  | { readonly kind: 'approve'; readonly login: string; readonly declined: readonly string[] };

/**
 * Reads the decision from the consent page's own parameters, which it adds to the authorize request:
 * `login=<username>&approve=1`, with `declined=<scope>` for each scope that was unticked, or `deny=1`.
 */
export function consentDecision({ fields, query }: Call): ConsentDecision {
  if (fields['deny'] === '1') return { kind: 'deny' };
  const login = fields['login'];
  if (fields['approve'] !== '1' || typeof login !== 'string') return { kind: 'ask' };
  const declined = [...query.getAll('declined'), fields['declined']]
    .filter((value) => typeof value === 'string')
    .flatMap((value) => value.split(/[ ,]+/))
    .filter((scope) => scope !== '');
  return { kind: 'approve', login, declined: [...new Set(declined)] };
}

export interface ConsentPage {
  /** The platform's name as people know it. */
  readonly platform: string;
  readonly application: string;
  /** Who can log in. */
  readonly logins: readonly string[];
  readonly scopes: readonly string[];
}

/** A plain page with one form for each login and one to deny; the forms repeat the authorize request. */
export function consentPage(call: Call, { platform, application, logins, scopes }: ConsentPage): Answer {
  const request = [...call.query]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  const form = (name: string, value: string, label: string) =>
    `<form method="get">${request}<input type="hidden" name="${name}" value="1">` +
    `${value === '' ? '' : `<input type="hidden" name="login" value="${escapeHtml(value)}">`}` +
    `<button>${escapeHtml(label)}</button></form>`;
  return html(
    `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(platform)}</title>` +
      `<h1>${escapeHtml(application)} asks for access to your ${escapeHtml(platform)} account</h1>` +
      `<ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>` +
      logins.map((login) => form('approve', login, `Allow as ${login}`)).join('') +
      form('deny', '', 'Deny'),
  );
}

/**
 * Sends the person back to the app, with the result and the `state` of the authorize request.
 *
 * @param fragment what the platform ends the address with, such as `#_`
 */
export function sendBack(
  { fields: { state } }: Call,
  redirectUri: string,
  result: Readonly<Record<string, string>>,
  fragment?: string,
): Answer {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(result)) target.searchParams.set(name, value);
  if (typeof state === 'string') target.searchParams.set('state', state);
  if (fragment !== undefined) target.hash = fragment;
  return redirect(target.href);
}
