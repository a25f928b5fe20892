import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, NameByPath, Operation } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import type { MetaApp } from '../meta/platform.ts';
import type { Usage } from '../meta/usage.ts';
import { refuse } from './errors.ts';
import { authenticate, type PageSession, type Session } from './sessions.ts';
import type { State } from './state.ts';

export const apiVersions = ['v25.0', 'v26.0'];

export const scopes = [
  'public_profile',
  'pages_show_list',
  'pages_read_engagement',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_read_user_content',
  'business_management',
  'read_insights',
] as const;
export type Scope = (typeof scopes)[number];

type Handle<S> = (call: Call, session: S) => Answer | Promise<Answer>;

/** Makes operations of the Graph API. `path` is the path after the version. */
export interface Graph {
  any(
    name: string | NameByPath,
    method: string,
    path: string,
    scope: Scope,
    handle: Handle<Session>,
  ): Operation;
  /** Makes an operation that accepts only a Page token. A `:pageId` in the path must be the token's Page. */
  page(
    name: string | NameByPath,
    method: string,
    path: string,
    scope: Scope,
    handle: Handle<PageSession>,
  ): Operation;
  /** Returns true if the API version exists. Streaming operations call this first and then `checkPageCall`. */
  serves(call: Call): boolean;
  /** Checks the rate, the token, its scope and its Page. @throws Refusal */
  checkPageCall(call: Call, scope: Scope): PageSession;
}

/** Opens the Graph API. Every call is first checked in this order: API version, rate, token, scope, Page. */
export function openGraph(state: State, usage: Usage, app: MetaApp): Graph {
  const checkCall = (call: Call, scope: Scope): Session => {
    usage.count(call);
    const session = authenticate(call, state, app);
    if (!session.token.scopes.includes(scope)) refuse('200');
    return session;
  };
  const serves = (call: Call) => apiVersions.includes(call.params['version'] ?? '');
  const checkPageCall = (call: Call, scope: Scope) => asPage(call, checkCall(call, scope));
  return {
    serves,
    checkPageCall,
    any: (name, method, path, scope, handle) =>
      operation(name, method, `graph.facebook.com/:version/${path}`, (call) =>
        serves(call) ? handle(call, checkCall(call, scope)) : unknownPath(call),
      ),
    page: (name, method, path, scope, handle) =>
      operation(name, method, `graph.facebook.com/:version/${path}`, (call) =>
        serves(call) ? handle(call, checkPageCall(call, scope)) : unknownPath(call),
      ),
  };
}

/**
 * Requires a Page token.
 *
 * @throws Refusal 200 for a user token, 100/33 for a Page other than the token's
 */
function asPage(call: Call, session: Session): PageSession {
  const { page } = session;
  if (page === undefined) refuse('200', '(#200) A Page access token is required for this call');
  const { pageId = 'me' } = call.params;
  if (pageId !== 'me' && pageId !== page.id) refuse('100/33');
  return { ...session, page };
}
