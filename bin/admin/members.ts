import { type Role, roles } from '../../lib/access/permissions.ts';
import { invalidField, notFound } from '../../lib/kernel/errors.ts';
import { EmailAddress } from '../../lib/people/email-address.ts';
import { changeRole, removeMember } from '../../lib/people/members/change.ts';
import { inviteMember } from '../../lib/people/members/invite.ts';
import { listMembers } from '../../lib/people/members/list.ts';
import type { MembersContext } from '../../lib/people/members/store.ts';
import type { MemberView } from '../../lib/people/views.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import { openDirectory } from '../directory.ts';
import type { AdminContext, CommandOption, Commands } from './command.ts';

const workspace: CommandOption = { value: 'id', isRequired: true, summary: 'the workspace' };
const email: CommandOption = {
  value: 'address',
  isRequired: true,
  summary: 'the email address, in any case',
};
const role: CommandOption = {
  value: 'role',
  isRequired: true,
  summary:
    'member (posts, files, automations, connecting) or owner (also keys, endpoints, members, audit log)',
};

/** The members of workspaces: the people who use the panel. */
export const memberCommands: Commands = {
  'member add': {
    verb: 'member.invite',
    words: [],
    options: { workspace, email, role },
    summary: 'invite somebody to a workspace, such as its first owner',
    detail:
      'The first person who signs in to the panel with this address becomes the member. No mail is sent: tell them the address of the panel.',
    run: async (operator) => {
      const { email = '' } = operator.options;
      const role = readRole(operator.options['role']);
      const context = { ...(await inWorkspace(operator)), directory: await openDirectory(operator.stage) };
      const { id } = await inviteMember(context, { email, role });
      operator.out.one(await shown(context, id));
      operator.out.note('Invited. They join with their first sign-in to the panel. No mail was sent.');
    },
  },
  'member list': {
    verb: 'member.read',
    words: [],
    options: { workspace },
    summary: 'list the members and invitations of a workspace',
    run: async (operator) =>
      operator.out.list((await listMembers(await inWorkspace(operator))).map(describe)),
  },
  'member edit': {
    verb: 'member.edit',
    words: [],
    options: { workspace, email, role },
    summary: 'change the role of a member, or of somebody who is invited',
    detail: 'It takes effect with their next request. A workspace keeps at least one owner who has joined.',
    run: async (operator) => {
      const role = readRole(operator.options['role']);
      const context = await inWorkspace(operator);
      const { id } = await findMember(context, operator.options['email'] ?? '');
      await changeRole(context, { memberId: id, role });
      operator.out.one(await shown(context, id));
    },
  },
  'member remove': {
    verb: 'member.remove',
    words: [],
    options: { workspace, email },
    summary: 'remove a member from a workspace, or withdraw an invitation',
    detail: 'It takes effect with their next request. A workspace keeps at least one owner who has joined.',
    run: async (operator) => {
      const context = await inWorkspace(operator);
      const { id, status } = await findMember(context, operator.options['email'] ?? '');
      await removeMember(context, id);
      operator.out.result({ id, removed: true }, [
        status === 'active' ? 'Removed.' : 'The invitation is withdrawn.',
      ]);
    },
  },
};

/** @throws HeraldError `not_found` for an unknown workspace */
async function inWorkspace(operator: AdminContext): Promise<MembersContext> {
  const { id } = await getWorkspace(operator.table, operator.options['workspace'] ?? '');
  return { ...operator, workspaceId: id };
}

async function findMember(context: MembersContext, given: string): Promise<MemberView> {
  const email = EmailAddress.safeParse(given).data;
  const member = (await listMembers(context)).find((each) => each.email === email);
  if (!member) throw notFound('member');
  return member;
}

async function shown(context: MembersContext, memberId: string) {
  const member = (await listMembers(context)).find(({ id }) => id === memberId);
  if (!member) throw notFound('member');
  return describe(member);
}

function readRole(text: string | undefined): Role {
  const role = roles.find((each) => each === text);
  if (role === undefined) throw invalidField('role', `must be ${roles.join(' or ')}`);
  return role;
}

function describe({ id, email, name, role, status, personId, createdAt, joinedAt }: MemberView) {
  return {
    id,
    email,
    role,
    status,
    name: name ?? '',
    personId: personId ?? '',
    createdAt,
    joinedAt: joinedAt ?? '',
  };
}
