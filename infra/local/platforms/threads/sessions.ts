import { operation } from '../kit/router.ts';
import type { Answer, Call, NameByPath, Operation, Workbench } from '../kit/types.ts';
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

/** Who calls: a live token and its account. */
export interface Session {
  readonly token: Token;
  readonly user: User;
}

/**
 * The caller of a call; refuses with 104 without a token and with 190 and its subcodes for a dead one. If the setting
 * says so, a dead token shows as a resource that does not exist, as it does at times.
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

/** A call below the version; `:userId` in the path (`me` will do) is the token's own account. */
export type ThreadsOperation = (
  name: string | NameByPath,
  method: string,
  path: string,
  scope: Scope,
  handle: (call: Call, session: Session) => Answer | Promise<Answer>,
) => Operation;

/** The first checks of every call, in this order: API version, rate, token, permission, the account itself. */
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
