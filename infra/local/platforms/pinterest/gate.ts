import { Refusal } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { liveToken } from '../kit/login/user-tokens.ts';
import type { Workbench } from '../kit/types.ts';
import { rateLimitAnswer, refuse } from './errors.ts';
import { type State, sandboxHost, type Token } from './state.ts';

/** The quota that a call counts towards: Pinterest's `org_read` or `org_write`. */
export type CallKind = 'read' | 'write';

/** The checks for every API call: a valid token, the quota, the scopes. */
export interface Gate {
  /** Counts the call and returns its token. @throws Refusal */
  checkCall(call: Call, kind: CallKind, scopes: readonly string[]): Token;
  /** Returns the rest of the caller's quota, for the headers of every answer. */
  usage(call: Call): { readonly limit: number; readonly remaining: number; readonly seconds: number };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Opens the gate. Standard access limits calls per minute and user, Trial access per day for the whole app ("Rate limits"). */
export function openGate({ limit, setting, clock }: Workbench, { accessTokens, calls }: State): Gate {
  function quota(kind: CallKind, username: string, at: number) {
    const isTrial = setting('access') === 'trial';
    const windowMs = isTrial ? dayMs : minuteMs;
    const max = limit(isTrial ? `trial${capital(kind)}sPerDay` : `${kind}sPerMinute`);
    const key = `${Math.floor(at / windowMs)}/${windowMs}/${kind}/${isTrial ? '' : username}`;
    return { key, max, seconds: Math.ceil((windowMs - (at % windowMs)) / 1000) };
  }

  return {
    checkCall({ bearer, host, at }, kind, scopes) {
      const token = liveToken(accessTokens, bearer, at);
      if (token === undefined || token.isSandbox !== (host === sandboxHost)) refuse('401/2');
      const { key, max, seconds } = quota(kind, token.username, at);
      const used = calls.get(key) ?? 0;
      if (used >= max) throw new Refusal(rateLimitAnswer(max, seconds));
      calls.put(key, used + 1);
      const missing = scopes.filter((scope) => !token.scopes.includes(scope));
      if (missing.length > 0) {
        refuse(
          '403/29/scope',
          `Your access token is missing the following required scopes: ['${missing.join("', '")}']`,
        );
      }
      return token;
    },
    usage({ bearer, method }) {
      const username = accessTokens.get(bearer ?? '')?.username ?? '';
      const { key, max, seconds } = quota(method === 'GET' ? 'read' : 'write', username, clock.now());
      return { limit: max, remaining: Math.max(0, max - (calls.get(key) ?? 0)), seconds };
    },
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
