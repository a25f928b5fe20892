import * as z from 'zod';
import { roles } from '../../lib/access/permissions.ts';
import { openParameters } from '../../lib/aws/parameters.ts';
import { openUserDirectory } from '../../lib/aws/user-directory.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError, notFound } from '../../lib/kernel/errors.ts';
import { type Directory, noDirectory } from '../../lib/people/directory.ts';
import { EmailAddress } from '../../lib/people/email-address.ts';
import { changeRole, removeMember } from '../../lib/people/members/change.ts';
import { inviteMember } from '../../lib/people/members/invite.ts';
import { listMembers } from '../../lib/people/members/list.ts';
import type { MembersContext } from '../../lib/people/members/store.ts';
import type { MemberView } from '../../lib/people/views.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { oneOf } from './values.ts';

const workspace = { value: 'id', isRequired: true, summary: 'the workspace' } as const;
const email = {
  value: 'address',
  isRequired: true,
  summary: 'the email address, in any case',
} as const;
const role = {
  value: 'role',
  read: oneOf(roles),
  isRequired: true,
  summary:
    'member (posts, files, automations, connecting) or owner (also keys, endpoints, members, audit log)',
} as const;

/** The members of workspaces: the people who use the panel. */
export const memberCommands: Commands = {
  'member add': operatorCommand({
    verb: 'member.invite',
    options: { workspace, email, role },
    summary: 'invite somebody to a workspace, such as its first owner',
    detail:
      'Whoever signs in to the panel with this address may accept within 14 days. No mail is sent: tell them the address of the panel.',
    run: async (operator, _, { workspace, email, role }) => {
      const context = {
        ...(await inWorkspace(operator, workspace)),
        directory: await openDirectory(operator.stage),
      };
      const { id } = await inviteMember(context, { email, role });
      operator.out.one(await shown(context, id));
      operator.out.note('Invited. They sign in to the panel and accept within 14 days. No mail was sent.');
    },
  }),
  'member list': operatorCommand({
    verb: 'member.read',
    options: { workspace },
    summary: 'list the members and invitations of a workspace',
    run: async (operator, _, { workspace }) =>
      operator.out.list((await listMembers(await inWorkspace(operator, workspace))).map(describe)),
  }),
  'member edit': operatorCommand({
    verb: 'member.edit',
    options: { workspace, email, role },
    summary: 'change the role of a member, or of somebody who is invited',
    detail: 'It takes effect with their next request. A workspace keeps at least one owner who has joined.',
    run: async (operator, _, { workspace, email, role }) => {
      const context = await inWorkspace(operator, workspace);
      const { id } = await findMember(context, email);
      await changeRole(context, { memberId: id, role });
      operator.out.one(await shown(context, id));
    },
  }),
  'member remove': operatorCommand({
    verb: 'member.remove',
    options: { workspace, email },
    summary: 'remove a member from a workspace, or withdraw an invitation',
    detail: 'It takes effect with their next request. A workspace keeps at least one owner who has joined.',
    run: async (operator, _, { workspace, email }) => {
      const context = await inWorkspace(operator, workspace);
      const { id, status } = await findMember(context, email);
      await removeMember(context, id);
      operator.out.result({ id, removed: true }, [
        status === 'active' ? 'Removed.' : 'The invitation is withdrawn.',
      ]);
    },
  }),
};

/** @throws HeraldError `not_found` for an unknown workspace */
async function inWorkspace(operator: AdminContext, workspaceId: string): Promise<MembersContext> {
  const { id } = await getWorkspace(operator.table, workspaceId);
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

/** The functions' parameter about the identity provider, of which only the issuer matters here. */
const SignInParameter = z.object({ issuer: z.url() });

/**
 * Opens the directory of a stage: the user pool that issues its sign-ins, unless the team has an identity provider of its own.
 *
 * @throws HeraldError `unavailable` if the stage has no identity provider yet
 */
async function openDirectory(stage: string): Promise<Directory> {
  const name = `/herald/${stage}/sign-in`;
  const value = await openParameters(systemClock)(name);
  if (value === undefined)
    throw new HeraldError(
      'unavailable',
      `nobody can sign in to stage ${stage} yet: there is no parameter ${name}; deploy the panel, or store the parameter for your own identity provider`,
    );
  const userPoolId = userPoolOf(SignInParameter.parse(JSON.parse(value)).issuer);
  return userPoolId === undefined || (await isOwn(stage)) ? noDirectory : openUserDirectory(userPoolId);
}

/**
 * Returns the id of the user pool behind an issuer: `https://cognito-idp.<region>.amazonaws.com/<pool id>`.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 *
 * @returns `undefined` for any other issuer
 */
export function userPoolOf(issuer: string): string | undefined {
  return /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/([\w-]+_[0-9A-Za-z]+)$/.exec(
    issuer,
  )?.[1];
}

/** Returns true if the stage says that its identity provider is the team's own, which may also be a user pool. */
async function isOwn(stage: string): Promise<boolean> {
  // This module loads the schemas of all settings, which few commands need.
  const { readStage } = await import('../settings-file.ts');
  return readStage(stage).signIn === 'own';
}
