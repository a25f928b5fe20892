import { operation } from '../kit/router.ts';
import type { Answer, Call, NameByPath, Operation } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import type { Usage } from '../meta/usage.ts';
import { refuse } from './errors.ts';
import type { Scope } from './login.ts';
import { authenticate, type Session } from './sessions.ts';
import type { State } from './state.ts';

export const apiVersions = ['v25.0', 'v26.0'];

/** A call on the Graph API; `path` is what stands below the version. */
export type GraphOperation = (
  name: string | NameByPath,
  method: string,
  path: string,
  scope: Scope,
  handle: (call: Call, session: Session) => Answer | Promise<Answer>,
) => Operation;

/**
 * Makes operations of `graph.instagram.com` that share their first checks, in this order: API version, rate, token,
 * permission, and that an `:igId` in the path (`me` will do) is the token's own account.
 */
export function graphOperations(state: State, usage: Usage): GraphOperation {
  return (name, method, path, scope, handle) =>
    operation(name, method, `graph.instagram.com/:version/${path}`, (call) => {
      if (!apiVersions.includes(call.params['version'] ?? '')) return unknownPath(call);
      usage.count(call);
      const session = authenticate(call, state);
      if (!session.token.scopes.includes(scope)) refuse('10');
      const igId = call.params['igId'];
      if (igId !== undefined && !isOwn(igId, session)) refuse('100/33');
      return handle(call, session);
    });
}

/** Whether an id names the caller's own account. */
export function isOwn(id: string, { user }: Session): boolean {
  return ['me', user.igId, user.scopedId].includes(id);
}
