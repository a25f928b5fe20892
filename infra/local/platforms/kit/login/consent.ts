import { escapeHtml, html, redirect } from '../answers.ts';
import type { Call } from '../call.ts';
import type { Answer } from '../types.ts';

/** The person's decision at the consent page; `ask` if they have not decided yet. */
export type ConsentDecision =
  | { readonly kind: 'ask' }
  | { readonly kind: 'deny' }
  | {
      readonly kind: 'approve';
      readonly login: string;
      readonly declined: readonly string[];
      /** The person consented earlier and was not asked this time. */
      readonly isReturning?: true;
    };

/**
 * Reads the decision from the parameters that the consent page adds to the authorize request:
 * `login=<username>&approve=1`, with `declined=<scope>` for each declined scope, or `deny=1`.
 */
export function statedDecision({ fields, query }: Call): ConsentDecision {
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
  /** The platform's display name. */
  readonly platform: string;
  readonly application: string;
  /** The usernames that can log in. */
  readonly logins: readonly string[];
  readonly scopes: readonly string[];
}

/** Returns a page with one form per login and one to deny. Each form repeats the parameters of the authorize request. */
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
 * Redirects the person to the app, with the result and the `state` of the authorize request.
 *
 * @param fragment the fragment that the platform appends to the address, such as `#_`
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
