import { errorPage, json } from '../kit/answers.ts';
import { isForm } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { openAuthorizationCodes } from '../kit/login/authorization-codes.ts';
import { consentPage, openConsents, sendBack } from '../kit/login/consents.ts';
import { issueToken, liveToken } from '../kit/login/user-tokens.ts';
import type { Records } from '../kit/records.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import { type State, sandboxHost, type Token } from './state.ts';

export interface PinterestApp {
  readonly id: string;
  readonly secret: string;
  /** The redirect URIs, compared character by character. */
  readonly redirectUris: readonly string[];
}

const knownScopes = new Set(
  ['user_accounts', 'boards', 'pins', 'ads', 'catalogs'].flatMap((object) => [
    `${object}:read`,
    `${object}:write`,
    `${object}:read_secret`,
    `${object}:write_secret`,
  ]),
);

interface Grant {
  readonly username: string;
  readonly scopes: readonly string[];
}

type TokenGrant = Grant & Pick<Token, 'isSandbox'>;

const codeLifeMs = 10 * 60_000;
const daySeconds = 86_400;
const accessTokenSeconds = 30 * daySeconds;
/** The lifetime of a refresh token, from the moment it is issued. https://developers.pinterest.com/docs/api/v5/oauth-token */
const refreshTokenSeconds = 60 * daySeconds;

/** Returns the operations of the login and its tokens (Pinterest's guide "Set up authentication and authorization"). */
export function oauthOperations(
  app: PinterestApp,
  workbench: Workbench,
  { users, accessTokens, refreshTokens }: State,
): Operation[] {
  const codes = openAuthorizationCodes<Grant>(workbench);
  const consents = openConsents(workbench);

  function authorize(call: Call): Answer {
    const { client_id, redirect_uri, response_type, scope } = call.fields;
    if (client_id !== app.id) return refused('Invalid client_id');
    if (typeof redirect_uri !== 'string' || !app.redirectUris.includes(redirect_uri)) {
      return refused('The redirect_uri does not match one that is registered for this app');
    }
    if (response_type !== 'code') return refused('response_type must be code');
    const wanted = typeof scope === 'string' ? scope.split(',') : [];
    const unknown = wanted.find((name) => !knownScopes.has(name));
    if (unknown !== undefined || wanted.length === 0) return refused(`Invalid scope: ${unknown ?? ''}`);
    const back = (result: Record<string, string>) => sendBack(call, redirect_uri, result);
    // Pinterest documents no parameter that asks a returning person again.
    const request = { app: app.id, scopes: wanted, asksAgain: false };
    const decision = consents.decide(call, request);
    if (decision.kind === 'deny') return back({ error: 'access_denied' });
    const logins = users.list().map(({ username }) => username);
    if (decision.kind === 'ask') {
      return consentPage(call, { platform: 'Pinterest', application: 'Herald', logins, scopes: wanted });
    }
    if (!logins.includes(decision.login)) return refused(`No account named ${decision.login}`);
    const scopes = wanted.filter((name) => !decision.declined.includes(name));
    const code = codes.issue({ username: decision.login, scopes }, redirect_uri, call.at + codeLifeMs);
    return consents.approved(call, request, decision, back({ code }));
  }

  function token(call: Call): Answer {
    const { headers, fields } = call;
    const expected = `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}`;
    if (headers.authorization !== expected) refuse('401/2');
    if (!isForm(call)) {
      refuse('400/1', 'The body must be form-encoded.');
    }
    if (fields['grant_type'] === 'authorization_code') return exchangeCode(call);
    if (fields['grant_type'] === 'refresh_token') return refresh(call);
    return refuse('400/1', "'grant_type' is not one of ['authorization_code', 'refresh_token']");
  }

  function exchangeCode({ fields, host, at }: Call): Answer {
    const { code, redirect_uri, continuous_refresh } = fields;
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined || found.used || found.expiresAt <= at) refuse('401/283');
    if (found.redirectUri !== redirect_uri) refuse('401/283');
    // Apps created before 25 September 2025 must request continuous refresh tokens; the older kind no longer exists.
    const isRefreshable = continuous_refresh === 'true';
    const grant = { ...found.grant, isSandbox: host === sandboxHost };
    return answer('authorization_code', grant, at, isRefreshable);
  }

  /** Rotates the refresh token. Pinterest documents no time for which the old one still works, so here it has none. */
  function refresh({ fields, host, at }: Call): Answer {
    const lasting = liveToken(refreshTokens, fields['refresh_token'], at);
    if (lasting === undefined || lasting.isSandbox !== (host === sandboxHost)) refuse('401/283');
    refreshTokens.put(lasting.value, { ...lasting, isRevoked: true });
    return answer('refresh_token', lasting, at, true);
  }

  function answer(type: string, grant: TokenGrant, at: number, isRefreshable: boolean): Answer {
    const access = issue(accessTokens, grant, 'pina_', accessTokenSeconds, at);
    const body = {
      response_type: type,
      token_type: 'bearer',
      access_token: access.value,
      expires_in: accessTokenSeconds,
      scope: grant.scopes.join(' '),
    };
    if (!isRefreshable) return json(body);
    const lasting = issue(refreshTokens, grant, 'pinr.', refreshTokenSeconds, at);
    return json({
      ...body,
      refresh_token: lasting.value,
      refresh_token_expires_in: refreshTokenSeconds,
      refresh_token_expires_at: Math.floor(lasting.expiresAt / 1000),
    });
  }

  function issue(tokens: Records<Token>, grant: TokenGrant, prefix: string, seconds: number, at: number) {
    const { random } = workbench;
    return issueToken<TokenGrant>(tokens, grant, {
      value: random.secret(prefix) + random.secret(),
      seconds,
      at,
    });
  }

  return [
    operation('authorize', 'GET', 'www.pinterest.com/oauth/', authorize),
    operation('oauth.token', 'POST', 'api.pinterest.com/v5/oauth/token', token),
  ];
}

function refused(message: string): Answer {
  return errorPage('Pinterest', 'Something went wrong', message);
}
