import { json } from '../kit/answers.ts';
import { refuseControl } from '../kit/control.ts';
import { revokeTokens } from '../kit/login/user-tokens.ts';
import { operation } from '../kit/router.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { userControls } from '../kit/user-controls.ts';
import {
  type Member,
  memberIdOf,
  organizationIdOf,
  organizationUrn,
  personUrn,
  type State,
} from './state.ts';

export interface UserSeed {
  readonly username: string;
  readonly name?: string;
  /** Default for a new member: one organization with the member's username, which they administer. */
  readonly organizations?: readonly OrganizationSeed[];
}

export interface OrganizationSeed {
  readonly vanityName: string;
  readonly name?: string;
  readonly role?: string;
  /** True for an organization that the member only follows. */
  readonly follows?: boolean;
  readonly state?: 'APPROVED' | 'REQUESTED' | 'REVOKED';
}

/** Adds a member, or changes the given fields of an existing one. Ids never change. */
export function seedUser(state: State, { username, name, organizations }: UserSeed): Member {
  const known = state.members.get(username);
  const member = { username, id: memberIdOf(username), name: name ?? known?.name ?? username };
  state.members.put(username, member);
  const wanted = organizations ?? (known === undefined ? [{ vanityName: username }] : []);
  for (const seed of wanted) {
    const id = organizationIdOf(seed.vanityName);
    const { vanityName, role = 'ADMINISTRATOR', state: standing = 'APPROVED' } = seed;
    state.organizations.put(String(id), { id, vanityName, name: seed.name ?? vanityName });
    if (seed.follows === true) {
      state.followers.put(`${username}/${id}`, { username, organizationId: id });
      continue;
    }
    state.roles.put(`${username}/${id}`, { username, organizationId: id, role, state: standing });
  }
  return member;
}

/** Returns control operations that add members, revoke their tokens and list comments. */
export function linkedinControls(workbench: Workbench, state: State): Operation[] {
  const members = userControls(workbench, {
    usernames: { pattern: /^[\w.-]{3,60}$/, rule: '3 to 60 letters, digits, underscores, dots or hyphens' },
    find: (username) => state.members.get(username),
    add(username, { name, organizations }) {
      if (organizations !== undefined && !isSeedList(organizations)) {
        return refuseControl(
          'organizations must be a list of { vanityName, name?, role?, state?, follows? }',
        );
      }
      const given = { ...(typeof name === 'string' && { name }), ...(organizations && { organizations }) };
      return seedUser(state, { username, ...given });
    },
    revoke: ({ username }) => revokeTokens(state, username),
  });
  return [...members, operation('comments', 'GET', '_control/comments', () => json(state.comments.list()))];
}

function isSeedList(value: unknown): value is readonly OrganizationSeed[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => typeof entry === 'object' && typeof entry?.vanityName === 'string')
  );
}

/** Returns the answer to `GET {control}/accounts`: members and their organizations. Live posts refer to these ids. */
export function listAccounts(state: State): readonly unknown[] {
  return state.members.list().map((member) => ({
    id: personUrn(member, 'member'),
    username: member.username,
    name: member.name,
    organizations: state.roles
      .list({ owner: member.username })
      .map(({ organizationId, role, state: standing }) => ({
        id: organizationUrn(organizationId),
        vanityName: state.organizations.get(String(organizationId))?.vanityName,
        role,
        state: standing,
      })),
  }));
}
