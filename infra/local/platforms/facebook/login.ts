import { html, json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { refusedScope } from '../kit/login/app-scopes.ts';
import { openAuthorizationCodes } from '../kit/login/authorization-codes.ts';
import { consentPage, endConsents, openConsents, sendBack } from '../kit/login/consents.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import type { MetaApp } from '../meta/platform.ts';
import { killTokens } from '../meta/tokens.ts';
import { graphError, refuse } from './errors.ts';
import { apiVersions, scopes } from './graph.ts';
import { deathOf, sessionOf } from './sessions.ts';
import type { State, Token } from './state.ts';

interface Grant {
  readonly personId: string;
  readonly scopes: readonly string[];
  readonly declined: readonly string[];
}

const hourMilliseconds = 3_600_000;
const shortLifeSeconds = 5_400;
const longLifeSeconds = 5_183_944;

/** Returns the operations of the login: dialog, code and token exchange, token inspection, and the end of an authorization. */
export function facebookLogin(workbench: Workbench, state: State, app: MetaApp): Operation[] {
  const codes = openAuthorizationCodes<Grant>(workbench, 'AQ');
  const consents = openConsents(workbench);

  function authorize(call: Call): Answer {
    if (!apiVersions.includes(call.params['version'] ?? '')) return unknownPath(call);
    const { client_id, redirect_uri, response_type = 'code', scope } = call.fields;
    if (client_id !== app.id)
      return dialogError('Invalid App ID: The provided app ID does not look like one');
    if (typeof redirect_uri !== 'string' || !app.redirectUris.includes(redirect_uri)) {
      return dialogError("URL Blocked: this redirect failed because the URI isn't on the app's list");
    }
    if (response_type !== 'code') return dialogError('Invalid response_type');
    // Facebook Login for Business: "config_id" stands for the scopes of a configuration.
    const { config_id: configId } = call.fields;
    if (configId !== undefined && configId !== workbench.setting('loginConfigId'))
      return dialogError('Invalid parameter config_id');
    const ofScope = typeof scope === 'string' ? scope.split(/[ ,]+/) : [];
    const wanted = configId === undefined ? ofScope : [...scopes].filter((name) => name !== 'public_profile');
    // The dialog also shows this for a scope that the app was not approved for.
    const refused = refusedScope(workbench, scopes, wanted);
    if (refused !== undefined) return dialogError(`Invalid Scopes: ${refused}`);

    // Facebook appends `#_=_` to the redirect address; it is not part of the state.
    const back = (result: Record<string, string>) => sendBack(call, redirect_uri, result, '#_=_');
    // `rerequest` asks only for declined scopes, so a person who has granted everything is not asked.
    const asksAgain = authTypes(call).some((type) => type === 'reauthorize' || type === 'reauthenticate');
    const request = { app: app.id, scopes: wanted, asksAgain };
    const decision = consents.decide(call, request);
    const people = state.people.list();
    if (decision.kind === 'deny') return back(denied);
    if (decision.kind === 'ask') {
      const logins = people.map(({ username }) => username);
      const application = `App ${app.id}`;
      return consentPage(call, { platform: 'Facebook', application, logins, scopes: wanted });
    }
    const person = people.find(({ username }) => username === decision.login);
    if (person === undefined) return dialogError(`No account named ${decision.login}`);
    // The consent form sends `page=<id>` for each selected Page. Without any, all Pages are selected.
    const selected = call.query.getAll('page');
    if (decision.isReturning !== true) {
      state.people.put(person.id, { ...person, allowedPageIds: selected.length > 0 ? selected : null });
    }
    const granted = ['public_profile', ...wanted.filter((name) => !decision.declined.includes(name))];
    const declined = wanted.filter((name) => !granted.includes(name));
    const grant = { personId: person.id, scopes: [...new Set(granted)], declined };
    const code = codes.issue(grant, redirect_uri, call.at + hourMilliseconds / 6);
    return consents.approved(call, request, decision, back({ code }));
  }

  /** `GET /oauth/access_token`: exchanges a code for a short-lived token, or a user token for a long-lived one. */
  function accessToken(call: Call): Answer {
    if (!apiVersions.includes(call.params['version'] ?? '')) return unknownPath(call);
    const { client_id, client_secret, grant_type, redirect_uri, code, fb_exchange_token } = call.fields;
    if (client_id !== app.id) refuse('101');
    if (client_secret !== app.secret) refuse('1', 'Error validating client secret.');
    if (grant_type === 'fb_exchange_token') {
      const { token } = sessionOf(String(fb_exchange_token), call.at, state);
      if (token.kind !== 'user') refuse('100', '(#100) A user access token is required');
      return tokenAnswer(token, true, call.at);
    }
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined) refuse('100', 'Invalid verification code format.');
    if (found.used) refuse('100/36009');
    if (found.expiresAt <= call.at) refuse('100/36007');
    if (found.redirectUri !== redirect_uri) refuse('100/36008');
    return tokenAnswer(found.grant, false, call.at);
  }

  function tokenAnswer({ personId, scopes: granted, declined }: Grant, isLong: boolean, at: number): Answer {
    const seconds = isLong ? longLifeSeconds : shortLifeSeconds;
    const value = workbench.random.secret('EAAG');
    const expiresAt = at + seconds * 1000;
    state.tokens.put(value, {
      value,
      kind: 'user',
      personId,
      scopes: granted,
      declined,
      issuedAt: at,
      expiresAt,
      isLong,
    });
    return json({ access_token: value, token_type: 'bearer', expires_in: seconds });
  }

  /** Returns true if the call has the app access token, `<id>|<secret>`. */
  const isApp = (call: Call) => (call.fields['access_token'] ?? call.bearer) === `${app.id}|${app.secret}`;

  function debugToken(call: Call): Answer {
    if (!isApp(call)) refuse('100', '(#100) You must provide an app access token');
    const token = state.tokens.get(String(call.fields['input_token']));
    const person = token && state.people.get(token.personId);
    if (token === undefined || person === undefined) return json({ data: { is_valid: false, scopes: [] } });
    return json({ data: debugged(token, deathOf(token, person, call.at) === undefined) });
  }

  function debugged(token: Token, isValid: boolean): unknown {
    return {
      app_id: app.id,
      type: token.kind.toUpperCase(),
      is_valid: isValid,
      expires_at: token.expiresAt === undefined ? 0 : Math.floor(token.expiresAt / 1000),
      scopes: token.scopes,
      user_id: token.personId,
      ...(token.pageId !== undefined && { profile_id: token.pageId }),
    };
  }

  /** `DELETE /<USER>/permissions`: invalidates every token of the person for this app, including Page tokens. */
  function endAuthorization(call: Call): Answer {
    const personId = call.params['personId'] ?? '';
    if (!isApp(call)) {
      const { token } = sessionOf(String(call.fields['access_token'] ?? call.bearer), call.at, state);
      if (personId !== 'me' && personId !== token.personId) refuse('100/33');
    }
    const person = state.people.get(personId);
    if (person === undefined) refuse('100/33');
    killTokens(state.tokens, personId, { subcode: 458 });
    endConsents(workbench, person.username);
    return json({ success: true });
  }

  const dialog = 'www.facebook.com/:version/dialog/oauth';
  const root = 'graph.facebook.com/:version';
  return [
    operation('authorize', 'GET', dialog, authorize),
    operation('authorize', 'POST', dialog, authorize),
    operation('oauth/access_token', 'GET', `${root}/oauth/access_token`, accessToken),
    operation('debug_token', 'GET', `${root}/debug_token`, debugToken),
    operation('permissions.delete', 'DELETE', `${root}/:personId/permissions`, endAuthorization),
  ];
}

/** Reads the parameter `auth_type`, a comma-separated list. */
function authTypes({ fields }: Call): readonly string[] {
  return String(fields['auth_type'] ?? '').split(',');
}

const denied = {
  error: 'access_denied',
  error_code: '200',
  error_description: 'Permissions error',
  error_reason: 'user_denied',
};

/** Returns an error of the dialog, which shows errors to the person and does not redirect. */
function dialogError(message: string): Answer {
  const { body = '' } = graphError('100', message);
  return { ...html(`<!DOCTYPE html><title>Error</title><pre>${body}</pre>`), status: 400 };
}
