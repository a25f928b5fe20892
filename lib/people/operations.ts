import * as z from 'zod';
import { Permission } from '../access/permissions.ts';
import { Id, PathId, Timestamp } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { isReadable, unreadableProblem } from '../kernel/readable-names.ts';
import { EmailAddress } from './email-address.ts';
import { RoleSchema } from './schemas.ts';
import { InvitationView, IssuedKeyView, KeyView, MemberView, MeView, SessionView } from './views.ts';

/**
 * Operations that only the panel calls, with the cookie of a session; no API key may. The OpenAPI document leaves them out: they
 * change with the panel.
 */
const byId = z.object({ id: PathId });
const nothing = (description: string) => ({ 204: { description } });

/** The reads of a person's invitations. */
const readsInvitations = {
  Query: ['INVITED#'],
  BatchGetItem: ['MEMBERS#', 'WORKSPACE#', 'PERSON#'],
} as const;

export const beginSignInOperation = operation({
  id: 'beginSignIn',
  handler: 'panel/begin-sign-in',
  method: 'GET',
  path: '/panel/sign-in',
  summary: 'Go to the identity provider',
  access: 'rate-limited',
  query: z.object({
    /** The path to return to, as long as an authorization request of a client may be. */
    returnTo: z.string().max(5_000).optional(),
    /** Makes the person sign in again, even if the identity provider knows them. */
    again: z.literal('true').optional(),
  }),
  replies: {
    303: { description: 'Redirects to the identity provider', headers: { Location: 'Its sign-in page' } },
  },
  rights: { signIn: true, writes: { PutItem: ['SIGN-IN#'] } },
  timeoutSeconds: 15,
});

export const finishSignInOperation = operation({
  id: 'finishSignIn',
  handler: 'panel/finish-sign-in',
  method: 'GET',
  path: '/panel/sign-in/callback',
  summary: 'Return from the identity provider',
  access: 'rate-limited',
  replies: {
    303: {
      description: 'Redirects to the panel, with `error` if the sign-in failed',
      headers: { Location: 'A page of the panel' },
    },
  },
  rights: {
    signIn: true,
    reads: { GetItem: ['SIGN-IN#', 'SESSION#'], ...readsInvitations },
    writes: { PutItem: ['SESSION#', 'PERSON#'], DeleteItem: ['SIGN-IN#', 'SESSION#', 'PERSON#'] },
    tokens: ['GenerateDataKey session'],
  },
  // Three requests to the issuer, of at most four seconds each.
  timeoutSeconds: 20,
});

export const signOutOperation = operation({
  id: 'signOut',
  handler: 'panel/sign-out',
  method: 'POST',
  path: '/panel/sign-out',
  summary: 'End this session',
  access: 'session',
  replies: {
    200: {
      description: 'Ended',
      body: z.object({
        signOutUrl: z
          .string()
          .nullable()
          .meta({ description: 'The address at which to sign out of the identity provider too' }),
      }),
    },
  },
  rights: { signIn: true, writes: { DeleteItem: ['SESSION#', 'PERSON#'] } },
  timeoutSeconds: 15,
  servesUnchecked: true,
});

/** Other functions of the API call it, with the headers of the request that they serve: only it may use a refresh token. */
export const checkSessionOperation = operation({
  id: 'checkSession',
  handler: 'panel/check-session',
  method: 'POST',
  path: '/panel/session/check',
  summary: 'Ask the identity provider whether the person may still sign in, if that is due',
  access: 'session',
  replies: nothing('Asked, or not due. The session may have ended'),
  rights: {
    signIn: true,
    tokens: ['GenerateDataKey session', 'Decrypt session'],
    reads: { GetItem: ['SESSION#'] },
    writes: { UpdateItem: ['SESSION#'], DeleteItem: ['SESSION#', 'PERSON#'] },
  },
  // Less than the lease of a check. Two requests to the issuer, of at most four seconds each.
  timeoutSeconds: 15,
  servesUnchecked: true,
});

export const readMeOperation = operation({
  id: 'getMe',
  handler: 'panel/me',
  method: 'GET',
  path: '/panel/me',
  summary: 'Read the signed-in person and their workspaces',
  access: 'session',
  replies: { 200: { description: 'The person', body: MeView } },
  rights: { reads: { Query: ['PERSON#'], BatchGetItem: ['WORKSPACE#'] } },
  settings: ['PUBLIC_BASE_URL', 'LINK_BASE_URL'],
});

export const listSessionsOperation = operation({
  id: 'listSessions',
  handler: 'panel/list-sessions',
  method: 'GET',
  path: '/panel/sessions',
  summary: "List the person's sessions, newest first",
  access: 'session',
  replies: { 200: { description: 'All sessions', body: z.object({ sessions: z.array(SessionView) }) } },
  rights: { reads: { Query: ['PERSON#'] } },
});

export const endSessionOperation = operation({
  id: 'endSession',
  handler: 'panel/end-session',
  method: 'DELETE',
  path: '/panel/sessions/{id}',
  summary: 'End a session of the person',
  access: 'session',
  pathParameters: byId,
  replies: nothing('Ended, or had ended before'),
  rights: { reads: { GetItem: ['PERSON#'] }, writes: { DeleteItem: ['SESSION#', 'PERSON#'] } },
});

export const endOtherSessionsOperation = operation({
  id: 'endOtherSessions',
  handler: 'panel/end-other-sessions',
  method: 'DELETE',
  path: '/panel/sessions',
  summary: 'End all sessions of the person except this one',
  access: 'session',
  replies: nothing('Ended'),
  rights: { reads: { Query: ['PERSON#'] }, writes: { DeleteItem: ['SESSION#', 'PERSON#'] } },
});

export const listInvitationsOperation = operation({
  id: 'listInvitations',
  handler: 'panel/list-invitations',
  method: 'GET',
  path: '/panel/invitations',
  summary: "List the invitations of the person's address, oldest first",
  access: 'session',
  replies: {
    200: {
      description: 'Those that have not ended; at most 50',
      body: z.object({ invitations: z.array(InvitationView) }),
    },
  },
  rights: { reads: readsInvitations },
});

export const acceptInvitationOperation = operation({
  id: 'acceptInvitation',
  handler: 'panel/accept-invitation',
  method: 'POST',
  path: '/panel/invitations/{id}/accept',
  summary: 'Become a member of the workspace that invites',
  access: 'session',
  pathParameters: byId,
  /** The role that the person has seen. If the invitation has another one by now, nothing is accepted. */
  body: z.object({ role: RoleSchema }),
  replies: nothing('The person is a member'),
  rights: {
    reads: { ...readsInvitations, ConditionCheckItem: ['WORKSPACE#'] },
    writes: {
      PutItem: ['PERSON#', 'AUDIT#'],
      UpdateItem: ['MEMBERS#'],
      DeleteItem: ['INVITED#'],
    },
  },
});

export const declineInvitationOperation = operation({
  id: 'declineInvitation',
  handler: 'panel/decline-invitation',
  method: 'DELETE',
  path: '/panel/invitations/{id}',
  summary: 'Decline an invitation',
  access: 'session',
  pathParameters: byId,
  replies: nothing('The invitation is deleted'),
  rights: {
    reads: readsInvitations,
    writes: { PutItem: ['AUDIT#'], DeleteItem: ['MEMBERS#', 'INVITED#'] },
  },
});

export const leaveWorkspaceOperation = operation({
  id: 'leaveWorkspace',
  handler: 'panel/leave-workspace',
  verb: 'member.leave',
  method: 'DELETE',
  path: '/panel/membership',
  summary: 'Leave the workspace',
  access: 'person',
  replies: nothing('The person is no longer a member'),
  rights: {
    reads: { GetItem: ['PERSON#', 'MEMBERS#'] },
    writes: { UpdateItem: ['MEMBERS#'], DeleteItem: ['MEMBERS#', 'PERSON#', 'INVITED#'] },
  },
});

export const listMembersOperation = operation({
  id: 'listMembers',
  handler: 'panel/list-members',
  verb: 'member.read',
  method: 'GET',
  path: '/panel/members',
  summary: 'List the members and invitations of the workspace',
  access: 'person',
  replies: {
    200: {
      description: 'All members; a workspace has at most 200',
      body: z.object({ members: z.array(MemberView) }),
    },
  },
  rights: { reads: { Query: ['MEMBERS#'] } },
});

export const inviteMemberOperation = operation({
  id: 'inviteMember',
  handler: 'panel/invite-member',
  verb: 'member.invite',
  method: 'POST',
  path: '/panel/members',
  summary: 'Invite somebody by email address',
  access: 'person',
  body: z.object({ email: EmailAddress, role: RoleSchema }),
  replies: { 201: { description: 'Invited', body: z.object({ member: MemberView }) } },
  rights: {
    reads: { GetItem: ['WORKSPACE#', 'MEMBERS#'], Query: ['MEMBERS#'], ConditionCheckItem: ['WORKSPACE#'] },
    writes: { PutItem: ['MEMBERS#', 'INVITED#'], UpdateItem: ['MEMBERS#'], DeleteItem: ['MEMBERS#'] },
    admitsUsers: true,
  },
  settings: ['USER_POOL_ID'],
});

export const editMemberOperation = operation({
  id: 'updateMember',
  handler: 'panel/edit-member',
  verb: 'member.edit',
  method: 'PATCH',
  path: '/panel/members/{id}',
  summary: "Change a member's role",
  access: 'person',
  pathParameters: byId,
  body: z.object({ role: RoleSchema }),
  replies: { 200: { description: 'Changed', body: z.object({ member: MemberView }) } },
  rights: {
    reads: { GetItem: ['MEMBERS#'] },
    writes: { UpdateItem: ['MEMBERS#', 'PERSON#'] },
  },
});

export const removeMemberOperation = operation({
  id: 'removeMember',
  handler: 'panel/remove-member',
  verb: 'member.remove',
  method: 'DELETE',
  path: '/panel/members/{id}',
  summary: 'Remove a member, or withdraw an invitation',
  access: 'person',
  pathParameters: byId,
  replies: nothing('Removed'),
  rights: {
    reads: { GetItem: ['MEMBERS#'] },
    writes: { UpdateItem: ['MEMBERS#'], DeleteItem: ['MEMBERS#', 'PERSON#', 'INVITED#'] },
  },
});

export const listKeysOperation = operation({
  id: 'listKeys',
  handler: 'panel/list-keys',
  verb: 'key.read',
  method: 'GET',
  path: '/panel/keys',
  summary: 'List the API keys of the workspace, newest first',
  access: 'person',
  replies: { 200: { description: 'All keys', body: z.object({ keys: z.array(KeyView) }) } },
  rights: { reads: { Query: ['WORKSPACE#'], BatchGetItem: ['KEY-USE#', 'GRANT#', 'PERSON#'] } },
});

export const createKeyOperation = operation({
  id: 'createKey',
  handler: 'panel/create-key',
  verb: 'key.create',
  method: 'POST',
  path: '/panel/keys',
  summary: 'Issue an API key',
  access: 'person',
  body: z.object({
    name: z.string().trim().min(1).max(100).refine(isReadable, unreadableProblem),
    permissions: z.array(Permission).min(1).optional(),
    accountIds: z.array(Id).min(1).max(100).optional(),
    expiresAt: Timestamp.optional(),
  }),
  replies: {
    201: { description: 'Issued. The key is in this response and nowhere else', body: IssuedKeyView },
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], BatchGetItem: ['WORKSPACE#'] },
    writes: { PutItem: ['WORKSPACE#', 'KEY#'], UpdateItem: ['WORKSPACE#'] },
  },
});

export const rotateKeyOperation = operation({
  id: 'rotateKey',
  handler: 'panel/rotate-key',
  verb: 'key.rotate',
  method: 'POST',
  path: '/panel/keys/{id}/rotate',
  summary: 'Replace the value of an API key',
  access: 'person',
  pathParameters: byId,
  body: z.object({
    overlapMinutes: z
      .int()
      .min(0)
      .max(7 * 24 * 60)
      .default(0),
    /** Needed if the key has expired. */
    expiresAt: Timestamp.optional(),
  }),
  replies: {
    200: { description: 'The new value is in this response and nowhere else', body: IssuedKeyView },
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#', 'KEY-USE#'] },
    writes: { PutItem: ['KEY#'], UpdateItem: ['WORKSPACE#', 'KEY#'], DeleteItem: ['KEY#'] },
  },
});

export const revokeKeyOperation = operation({
  id: 'revokeKey',
  handler: 'panel/revoke-key',
  verb: 'key.revoke',
  method: 'DELETE',
  path: '/panel/keys/{id}',
  summary: 'Revoke an API key',
  access: 'person',
  pathParameters: byId,
  replies: nothing('Revoked'),
  rights: {
    reads: { GetItem: ['WORKSPACE#'] },
    writes: { UpdateItem: ['WORKSPACE#'], DeleteItem: ['KEY#'] },
  },
});
