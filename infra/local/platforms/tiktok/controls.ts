import { json } from '../kit/answers.ts';
import { refuseControl } from '../kit/control.ts';
import { revokeTokens } from '../kit/login/user-tokens.ts';
import { operation } from '../kit/router.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { userControls } from '../kit/user-controls.ts';
import { nextPostId, openIdOf, type State, type User } from './state.ts';

/** A creator to add, with defaults for the missing fields. */
export type UserSeed = Pick<User, 'username'> & Partial<Omit<User, 'openId'>>;

const usual = {
  isPrivate: false,
  isBanned: false,
  commentDisabled: false,
  duetDisabled: false,
  stitchDisabled: false,
  maxVideoSeconds: 600,
} as const;

/** Adds a creator, or changes the given fields of an existing one. Ids never change. */
export function seedUser({ users }: State, seed: UserSeed): User {
  const { username } = seed;
  const known = users.get(username) ?? { ...usual, displayName: username };
  const user = { ...known, ...seed, openId: openIdOf(username) };
  users.put(username, user);
  return user;
}

const flags = ['isPrivate', 'isBanned', 'commentDisabled', 'duetDisabled', 'stitchDisabled'] as const;

/** Returns control operations that add creators, revoke their tokens, and post the drafts in their inbox. */
export function tiktokControls(workbench: Workbench, state: State): Operation[] {
  const creators = userControls(workbench, {
    usernames: { pattern: /^[\w.]{2,24}$/, rule: '2 to 24 letters, digits, underscores or dots' },
    find: (username) => state.users.get(username),
    add(username, fields) {
      const { displayName, maxVideoSeconds } = fields;
      const given = flags.flatMap((name) =>
        typeof fields[name] === 'boolean' ? [[name, fields[name]]] : [],
      );
      return seedUser(state, {
        username,
        ...Object.fromEntries(given),
        ...(typeof displayName === 'string' && { displayName }),
        ...(typeof maxVideoSeconds === 'number' && { maxVideoSeconds }),
      });
    },
    revoke: ({ username }) => revokeTokens(state, username),
  });
  return [
    ...creators,
    operation('inbox', 'POST', '_control/inbox', ({ fields, at }) => {
      const { username } = fields;
      if (typeof username !== 'string' || state.users.get(username) === undefined)
        return refuseControl('username names no known user');
      const drafts = state.publishes
        .list({ owner: username })
        .filter(({ isDraft, end }) => isDraft && end !== undefined && end.failReason === undefined);
      for (const draft of drafts) {
        const info = { ...draft.info, privacy_level: 'PUBLIC_TO_EVERYONE' } as const;
        const end = { at, media: draft.end?.media ?? [], postId: nextPostId(workbench.ledger) };
        state.publishes.put(draft.id, { ...draft, info, end });
      }
      return json(drafts.map(({ id }) => id));
    }),
  ];
}

/** Returns the accounts as `GET {control}/accounts` shows them. */
export function listAccounts({ users }: State): readonly unknown[] {
  return users.list().map(({ openId, ...user }) => ({ id: openId, ...user }));
}
