import { json } from './answers.ts';
import { refuseControl } from './control.ts';
import type { Records } from './ledger.ts';
import { operation } from './router.ts';
import type { Call, Operation } from './types.ts';

/** The people of a platform, as a test plays them. */
export interface PlayedUsers<User> {
  /** What a username looks like, and the same in words. */
  readonly usernames: { readonly pattern: RegExp; readonly rule: string };
  find(username: string): User | undefined;
  /** Adds a user, or changes what is given of one. @returns what is answered */
  add(username: string, fields: Call['fields']): unknown;
  /** Ends every token issued to the user so far; they may connect again. */
  revoke(user: User, fields: Call['fields']): void;
}

/** `POST {control}/users` and `POST {control}/revoke`. */
export function userControls<User>(played: PlayedUsers<User>): Operation[] {
  const { pattern, rule } = played.usernames;
  return [
    operation('users', 'POST', '_control/users', ({ fields }) => {
      const { username } = fields;
      if (typeof username !== 'string' || !pattern.test(username)) return refuseControl(`username: ${rule}`);
      return json(played.add(username, fields), 201);
    }),
    operation('revoke', 'POST', '_control/revoke', ({ fields }) => {
      const { username } = fields;
      const user = typeof username === 'string' ? played.find(username) : undefined;
      if (user === undefined) return refuseControl('username: no such user');
      played.revoke(user, fields);
      return json({ ok: true });
    }),
  ];
}

/** The user with this name, if there is one. */
export function userNamed<User extends { readonly username: string }>(
  users: Records<User>,
  username: unknown,
): User | undefined {
  return users.list().find((user) => user.username === username);
}
