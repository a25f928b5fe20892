import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, NameByPath, Operation } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import type { Usage } from '../meta/usage.ts';
import { refuse } from './errors.ts';
import type { Scope } from './login.ts';
import { authenticate, type Session } from './sessions.ts';
import type { State } from './state.ts';

export const apiVersions = ['v25.0', 'v26.0'];

/** Makes an operation of the Graph API. `path` is the path after the version. */
export type GraphOperation = (
  name: string | NameByPath,
  method: string,
  path: string,
  scope: Scope,
  handle: (call: Call, session: Session) => Answer | Promise<Answer>,
) => Operation;

/**
 * Makes operations of `graph.instagram.com`. Every call is first checked in this order: API version, rate, token,
 * scope, and that an `:igId` in the path is the token's account or `me`.
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

/** Returns true if an id is `me` or one of the ids of the caller's account. */
export function isOwn(id: string, { user }: Session): boolean {
  return ['me', user.igId, user.scopedId].includes(id);
}
