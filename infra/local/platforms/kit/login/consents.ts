import { escapeHtml, html, redirect } from '../answers.ts';
import type { Call } from '../call.ts';
import type { Answer, Workbench } from '../types.ts';

/** The person's decision at the consent page; `ask` if they have not decided yet. */
type ConsentDecision =
  | { readonly kind: 'ask' }
  | { readonly kind: 'deny' }
  | {
      readonly kind: 'approve';
      readonly login: string;
      readonly declined: readonly string[];
      /** The person consented earlier and was not asked this time. */
      readonly isReturning?: true;
    };

/** The content of an authorize request. */
export interface ConsentRequest {
  /** The app's id. */
  readonly app: string;
  readonly scopes: readonly string[];
  /** True if the request has the platform's parameter that asks a returning person again. */
  readonly asksAgain: boolean;
  /** The time for which a consent spares the person the question, in milliseconds. Default: until it is revoked. */
  readonly lastsMs?: number;
}

/** The consents that people have given to apps, and the browsers in which they are signed in. */
export interface Consents {
  /**
   * Returns the person's decision. Real platforms do not ask a person who is signed in and has granted all these scopes to this
   * app before: they send the browser straight back with a code.
   */
  decide(call: Call, request: ConsentRequest): ConsentDecision;
  /** Records an approval and signs the browser in, with a cookie that only this host's paths receive. */
  approved(call: Call, request: ConsentRequest, decision: Approval, answer: Answer): Answer;
}

type Approval = Extract<ConsentDecision, { kind: 'approve' }>;

interface Consent {
  readonly app: string;
  readonly login: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

type Store = Pick<Workbench, 'ledger'>;

const recordsOf = ({ ledger }: Store) =>
  ledger.records<Consent>('consent', ({ login, at }) => ({ owner: login, at }));
const idOf = (app: string, login: string) => JSON.stringify([app, login]);

export function openConsents(store: Store): Consents {
  const consents = recordsOf(store);

  function isRemembered(login: string, { app, scopes, lastsMs = Infinity }: ConsentRequest, now: number) {
    const known = consents.get(idOf(app, login));
    return (
      known !== undefined && now < known.at + lastsMs && scopes.every((one) => known.scopes.includes(one))
    );
  }

  return {
    decide(call, request) {
      const stated = statedDecision(call);
      const login = signedInAs(call);
      if (stated.kind !== 'ask' || request.asksAgain || login === undefined) return stated;
      return isRemembered(login, request, call.at)
        ? { kind: 'approve', login, declined: [], isReturning: true }
        : stated;
    },
    approved(call, { app, scopes }, { login, declined }, answer) {
      const granted = scopes.filter((scope) => !declined.includes(scope));
      consents.put(idOf(app, login), { app, login, scopes: granted, at: call.at });
      const cookie = `${cookieName}=${encodeURIComponent(login)}; Path=/${call.host}; HttpOnly; SameSite=Lax`;
      return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie } };
    },
  };
}

/** Forgets a person's consents, as when they remove the app: the next request asks again. */
export function endConsents(store: Store, login: string): void {
  const consents = recordsOf(store);
  for (const { app } of consents.list({ owner: login })) consents.delete(idOf(app, login));
}

const cookieName = 'signed-in-as';

function signedInAs({ headers }: Call): string | undefined {
  return new URLSearchParams((headers.cookie ?? '').replaceAll(/; */g, '&')).get(cookieName) ?? undefined;
}

/**
 * Reads the decision from the parameters that the consent page adds to the authorize request:
 * `login=<username>&approve=1`, with `declined=<scope>` for each declined scope, or `deny=1`.
 */
function statedDecision({ fields, query }: Call): ConsentDecision {
  if (fields['deny'] === '1') return { kind: 'deny' };
  const login = fields['login'];
  if (fields['approve'] !== '1' || typeof login !== 'string') return { kind: 'ask' };
  const declined = [...query.getAll('declined'), fields['declined']]
    .filter((value) => typeof value === 'string')
    .flatMap((value) => value.split(/[ ,]+/))
    .filter((scope) => scope !== '');
  return { kind: 'approve', login, declined: [...new Set(declined)] };
}

interface ConsentPage {
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
