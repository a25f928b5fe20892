import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, NameByPath, Operation, Workbench } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import { sessionOf } from '../meta/tokens.ts';
import type { Usage } from '../meta/usage.ts';
import { refuse } from './errors.ts';
import type { State, Token, User } from './state.ts';

export const scopes = [
  'threads_basic',
  'threads_content_publish',
  'threads_manage_replies',
  'threads_read_replies',
  'threads_manage_insights',
  'threads_delete',
] as const;
export type Scope = (typeof scopes)[number];

/** The caller: a valid token and its account. */
export interface Session {
  readonly token: Token;
  readonly user: User;
}

/**
 * Returns the caller of a call.
 *
 * @throws Refusal 104 without a token, 190 with its subcodes for an invalid one. With the setting `deadTokenAnswer: 'missing'`,
 *   an expired or invalidated token is refused with 24 (no such resource), as Threads sometimes does.
 */
export function authenticate(call: Call, { tokens, users }: State, { setting }: Workbench): Session {
  const isMissing = setting('deadTokenAnswer') === 'missing';
  return sessionOf(
    call,
    tokens,
    ({ userId }) => users.get(userId),
    (code) => refuse(isMissing && code.startsWith('190/') ? '24' : code),
  );
}

/** Makes an operation. `path` is the path after the version; a `:userId` in it must be the token's account or `me`. */
export type ThreadsOperation = (
  name: string | NameByPath,
  method: string,
  path: string,
  scope: Scope,
  handle: (call: Call, session: Session) => Answer | Promise<Answer>,
) => Operation;

/** Creates the operations' maker. Every call is first checked in this order: API version, rate, token, scope, account. */
export function threadsOperations(workbench: Workbench, state: State, usage: Usage): ThreadsOperation {
  return (name, method, path, scope, handle) =>
    operation(name, method, `graph.threads.net/:version/${path}`, (call) => {
      if (call.params['version'] !== 'v1.0') return unknownPath(call);
      usage.count(call);
      const session = authenticate(call, state, workbench);
      if (!session.token.scopes.includes(scope)) refuse('10');
      const { userId = 'me' } = call.params;
      if (userId !== 'me' && userId !== session.user.id) refuse('24/4279009');
      return handle(call, session);
    });
}
