import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { roles } from '../access/permissions.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts';

/** The time after its last use at which a session ends. */
export const idleMs = 12 * hourMs;
/** The time after its sign-in at which a session ends, whatever its use. */
export const sessionMs = 7 * dayMs;
/** The minimum interval at which the use of a session is recorded. */
export const useRecordedEveryMs = 10 * minuteMs;
/** The time for which the issuer's word on a session counts. */
export const checkEveryMs = 10 * minuteMs;
/** The time for which requests still pass after that, if a check does not succeed at once. */
export const checkGraceMs = 5 * minuteMs;
/**
 * The wait for another check if the issuer gave no answer. It may have replaced the refresh token all the same: most issuers take the
 * old one for half a minute or longer.
 */
export const checkAgainMs = 20 * secondMs;
/** The time that a person may take at the issuer. */
export const signInMs = 10 * minuteMs;

export const RoleSchema = z.enum(roles);
export type { Role } from '../access/permissions.ts';

/** A member of a workspace, or an invited person. In the partition of the workspace's members. */
export const Member = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** The email address in lower case. It matters only until somebody with this verified address has accepted. */
  email: z.string(),
  role: RoleSchema,
  createdAt: z.string(),
  invitedBy: ActorReference,
  /** The member's person id; absent while invited. */
  personId: z.string().optional(),
  /** The name from the issuer when the person accepted; absent if it gave none. */
  name: z.string().optional(),
  joinedAt: z.string().optional(),
});
export type Member = z.infer<typeof Member>;

/** The time for which an invitation can be accepted. */
export const invitationMs = 14 * dayMs;

/** Returns the end of an invitation. Epoch milliseconds. */
export const invitationEndsAt = ({ createdAt }: Pick<Member, 'createdAt'>): number =>
  Date.parse(createdAt) + invitationMs;

/** True if somebody may still accept. */
export const isInvited = (member: Pick<Member, 'createdAt' | 'personId'>, now: number): boolean =>
  member.personId === undefined && invitationEndsAt(member) > now;

/** The number of a workspace's joined members by role. One item per workspace. */
export const MemberCounts = z.object({
  owners: z.int(),
  members: z.int(),
  /**
   * The number of invitations so far; absent before the first. An invitation requires that no other came since the members were
   * read, because only an invitation adds an address.
   */
  invitations: z.int().optional(),
});
export type MemberCounts = z.infer<typeof MemberCounts>;

/** A workspace of a person, in the person's partition: the role that a request of this person has there. */
export const Membership = z.object({
  personId: z.string(),
  workspaceId: z.uuid(),
  memberId: z.uuid(),
  role: RoleSchema,
});
export type Membership = z.infer<typeof Membership>;

/** An invitation, found by the digest of its email address. */
export const Invitation = z.object({ workspaceId: z.uuid(), memberId: z.uuid() });
export type Invitation = z.infer<typeof Invitation>;

/** A sign-in under way, found by the digest of the browser's cookie. The callback deletes it. */
export const SignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** The redirect URI of this sign-in: its host is the panel's host that the browser used. */
  redirectUri: z.string(),
  /** A path of the panel. */
  returnTo: z.string(),
  /** True if the person must sign in again. */
  isAgain: z.boolean().optional(),
  /** The digest of the browser's previous session, which ends. */
  endsSession: z.string().optional(),
  beganAt: z.string(),
  expiresAt: z.string(),
});
export type SignIn = z.infer<typeof SignIn>;

/** A session, found by the digest of its cookie. */
export const Session = z.object({
  id: z.uuid(),
  personId: z.string(),
  email: z.string(),
  /** True if the issuer has verified the address; absent in sessions of earlier releases. */
  isEmailVerified: z.boolean().optional(),
  name: z.string().optional(),
  signedInAt: z.string(),
  /** The last time that the issuer saw the person authenticate; absent if it did not say. */
  provedAt: z.string().optional(),
  /** The browser's `User-Agent`, shortened. */
  browser: z.string(),
  /** The time of the next check at the issuer; absent if the issuer gave no refresh token, and in sessions of earlier releases. */
  checkDueAt: z.string().optional(),
});
export type Session = z.infer<typeof Session>;

/** The refresh token by which a session is checked, in the session's partition. */
export const SessionGrant = z.object({
  ciphertext: z.string(),
  /** Incremented with every check that the issuer has answered. */
  version: z.int(),
  /** The end of the lease of the one worker that asks the issuer. If it has passed, the outcome of that request is unknown. */
  leaseUntil: z.string().optional(),
});
export type SessionGrant = z.infer<typeof SessionGrant>;

/** The last use of a session. A separate item, so that API functions need no right to write sessions. */
export const SessionUse = z.object({
  /** At most {@link useRecordedEveryMs} older than the last use. */
  usedAt: z.string(),
});
export type SessionUse = z.infer<typeof SessionUse>;

/** A session in its person's list, in the person's partition. */
export const ListedSession = z.object({
  id: z.uuid(),
  digest: z.string(),
  signedInAt: z.string(),
  browser: z.string(),
});
export type ListedSession = z.infer<typeof ListedSession>;
