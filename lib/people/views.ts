import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { Permission } from '../access/permissions.ts';
import { Timestamp } from '../api-contract/fields.ts';
import { GrantView } from './grants/views.ts';
import { RoleSchema } from './schemas.ts';

export const MemberView = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  role: RoleSchema,
  /** `ended`: nobody has accepted within 14 days. The address may be invited again. */
  status: z.enum(['invited', 'ended', 'active']),
  /** The id by which the audit log names the member; null while invited. */
  personId: z.string().nullable(),
  isYou: z.boolean(),
  createdAt: Timestamp,
  joinedAt: Timestamp.nullable(),
  /** The end of the invitation; null for somebody who has joined. */
  endsAt: Timestamp.nullable(),
});
export type MemberView = z.infer<typeof MemberView>;

/** An invitation, as it is shown to the person who may accept it. */
export const InvitationView = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  workspaceName: z.string(),
  role: RoleSchema,
  /** Name and address are those of the member who invites; null for an operator, and for somebody who has left. */
  invitedBy: z.object({
    kind: ActorReference.shape.kind,
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  createdAt: Timestamp,
  endsAt: Timestamp,
});
export type InvitationView = z.infer<typeof InvitationView>;

export const SessionView = z.object({
  id: z.uuid(),
  browser: z.string(),
  signedInAt: Timestamp,
  usedAt: Timestamp,
  isThis: z.boolean(),
});
export type SessionView = z.infer<typeof SessionView>;

/** The signed-in person, with the workspaces where that person may work. */
export const MeView = z.object({
  person: z.object({ id: z.string(), email: z.string(), name: z.string().nullable() }),
  session: z.object({ id: z.uuid(), signedInAt: Timestamp, endsAt: Timestamp }),
  workspaces: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      timezone: z.string(),
      role: RoleSchema,
      isSuspended: z.boolean(),
    }),
  ),
  /** The API's own address, for programs with keys. */
  apiUrl: z.string(),
  /** The address below which tracked links are, at `/r/<code>`. */
  linkUrl: z.string(),
});
export type MeView = z.infer<typeof MeView>;

export const KeyView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null for keys of earlier releases. */
  lastFour: z.string().nullable(),
  /** Null if the key has all permissions. */
  permissions: z.array(Permission).nullable(),
  /** Null if the key may use all accounts. */
  accountIds: z.array(z.uuid()).nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
  expiresAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  /** The end of the time for which the value before the last rotation is accepted too; null if it is not. */
  previousUntil: Timestamp.nullable(),
  createdAt: Timestamp,
  createdBy: ActorReference.nullable(),
  /** `YYYY-MM-DD` in UTC; null if it was never used. */
  lastUsedOn: z.string().nullable(),
  /** Null for an API key; otherwise the key is a grant to a client. */
  grant: GrantView.nullable(),
});
export type KeyView = z.infer<typeof KeyView>;

/** The response with the key itself, which no other response has. */
export const IssuedKeyView = z.object({ key: KeyView, apiKey: z.string() });
export type IssuedKeyView = z.infer<typeof IssuedKeyView>;
