import type { Call } from '../call.ts';
import type { Answer, Workbench } from '../types.ts';
import { type ConsentDecision, statedDecision } from './consent.ts';

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
