import { operation } from '../kit/router.ts';
import type { Answer, Call, NameByPath, Operation, Workbench } from '../kit/types.ts';
import type { Usage } from '../meta/usage.ts';
import { graphError, refuse } from './errors.ts';
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

/** The token a call brings, as a parameter or as a bearer. */
export function tokenOf(call: Call): string | undefined {
  const parameter = call.fields['access_token'];
  return typeof parameter === 'string' && parameter !== '' ? parameter : call.bearer;
}

/**
 * The caller of a call; refuses with 104 without a token and with 190 and its subcodes for a dead one. Where the setting
 * says so, a dead token shows as a resource that does not exist, as it does at times.
 */
export function authenticate(call: Call, state: State, { setting }: Workbench): Session {
  const value = tokenOf(call);
  if (value === undefined) refuse('104');
  const token = state.tokens.get(value);
  const user = token && state.users.get(token.userId);
  if (token === undefined || user === undefined) refuse('190');
  const subcode = token.deadSubcode ?? (token.expiresAt <= call.at ? 463 : undefined);
  if (subcode === undefined) return { token, user };
  if (setting('deadTokenAnswer') === 'missing') refuse('24');
  if (subcode === 458) refuse('190/458');
  if (subcode === 459) refuse('190/459');
  if (subcode === 460) refuse('190/460');
  return refuse('190/463');
}

/** From now on the token is refused with 190 and this subcode. */
export function killToken(state: State, value: string, deadSubcode: number): void {
  const token = state.tokens.get(value);
  if (token !== undefined) state.tokens.put(value, { ...token, deadSubcode });
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

/** For paths and versions that do not exist. */
export function unknownPath(call: Call): Answer {
  return graphError('2500', `Unknown path components: ${call.path.replace(/^\/v\d+\.\d+(?=\/)/, '')}`);
}
