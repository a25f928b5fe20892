import { json, rawJson } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { loginOperations } from '../meta/login.ts';
import type { MetaApp } from '../meta/platform.ts';
import { deathOf } from '../meta/tokens.ts';
import { refuse } from './errors.ts';
import { authenticate, scopes } from './sessions.ts';
import type { State, Token, User } from './state.ts';

/** Returns the operations of the login with Threads, and of the inspection of a token. */
export function threadsLogin(workbench: Workbench, state: State, app: MetaApp): Operation[] {
  const { users, tokens } = state;
  function debugToken(call: Call): Answer {
    authenticate(call, state, workbench);
    // "Required. Threads Graph API user access token of a Threads tester."
    // https://developers.facebook.com/docs/threads/reference/debug/
    // What it answers to other tokens is not documented; this is Facebook's answer.
    if (workbench.setting('inspectsTokens') !== true) {
      const only = 'an app access token, or a user access token that is an owner or developer of the app';
      refuse('100', `(#100) You must provide ${only}`);
    }
    const token = tokens.get(String(call.fields['input_token']));
    if (token === undefined) return json({ data: { is_valid: false, scopes: [] } });
    const { expiresAt, userId, scopes: granted } = token;
    return rawJson(
      `{"data":{"type":"USER","is_valid":${deathOf(token, call.at) === undefined},` +
        `"expires_at":${Math.floor(expiresAt / 1000)},"scopes":${JSON.stringify(granted)},"user_id":${userId}}}`,
    );
  }

  const login = loginOperations<User, Pick<Token, 'userId'>>(workbench, {
    platform: 'Threads',
    app,
    users,
    tokens,
    addresses: {
      authorize: 'threads.net/oauth/authorize',
      code: 'graph.threads.net/oauth/access_token',
      graph: 'graph.threads.net',
    },
    scopes,
    scopeSeparator: /[ ,]+/,
    // Threads documents no parameter that does.
    asksAgain: () => false,
    tokenPrefix: 'THAA',
    grantPrefix: 'th',
    words: {
      unknownCode: 'This authorization code has been used',
      otherRedirectUri: 'Error validating verification code: the redirect_uri is not identical',
    },
    ownerOf: ({ id }) => ({ userId: id }),
    authenticate: (call) => authenticate(call, state, workbench),
    // As in the real answer, the id is a JSON number above 2^53. `JSON.stringify` cannot write it.
    codeAnswer: ({ value, userId }) => rawJson(`{"access_token":"${value}","user_id":${userId}}`),
    refuse,
  });
  return [...login, operation('debug_token', 'GET', 'graph.threads.net/v1.0/debug_token', debugToken)];
}
