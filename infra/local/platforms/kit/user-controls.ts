import { json } from './answers.ts';
import type { Call } from './call.ts';
import { refuseControl } from './control.ts';
import { endConsents } from './login/consents.ts';
import type { Records } from './records.ts';
import { operation } from './router.ts';
import type { Operation, Workbench } from './types.ts';

/** The operations with which tests add and revoke the users of a platform. */
export interface PlayedUsers<User> {
  /** The pattern of a username, and the same rule in words that complete "username must be". */
  readonly usernames: { readonly pattern: RegExp; readonly rule: string };
  find(username: string): User | undefined;
  /** Adds a user, or changes the given fields of an existing one. @returns the answer's body */
  add(username: string, fields: Call['fields']): unknown;
  /** Revokes every token issued to the user so far. The user can connect again, and is then asked again. */
  revoke(user: User, fields: Call['fields']): void;
}

/** `POST {control}/users` and `POST {control}/revoke`. */
export function userControls<User>(
  workbench: Pick<Workbench, 'ledger'>,
  played: PlayedUsers<User>,
): Operation[] {
  const { pattern, rule } = played.usernames;
  return [
    operation('users', 'POST', '_control/users', ({ fields }) => {
      const { username } = fields;
      if (typeof username !== 'string' || !pattern.test(username))
        return refuseControl(`username must be ${rule}`);
      return json(played.add(username, fields), 201);
    }),
    operation('revoke', 'POST', '_control/revoke', ({ fields }) => {
      const { username } = fields;
      const user = typeof username === 'string' ? played.find(username) : undefined;
      if (user === undefined) return refuseControl('username names no known user');
      played.revoke(user, fields);
      endConsents(workbench, String(username));
      return json({ ok: true });
    }),
  ];
}

/** Returns the user with this name, if there is one. */
export function userNamed<User extends { readonly username: string }>(
  users: Records<User>,
  username: unknown,
): User | undefined {
  return users.list().find((user) => user.username === username);
}
