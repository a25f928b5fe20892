import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { roles } from '../access/permissions.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/clock.ts';
/** A session ends this long after its last use. */
export const idleMs = 12 * hourMs;
/** A session ends this long after its sign-in, whatever its use. */
export const sessionMs = 7 * dayMs;
/** The use of a session is recorded at most this often. */
export const useRecordedEveryMs = 10 * minuteMs;
/** How long a person may take at the issuer. */
export const signInMs = 10 * minuteMs;
export const RoleSchema = z.enum(roles);
/** A member of a workspace, or somebody who is invited. In the partition of the workspace's members. */
export const Member = z.object({
    id: z.uuid(),
    workspaceId: z.uuid(),
    /** In lower case. Matters only until somebody with this verified address has signed in. */
    email: z.string(),
    role: RoleSchema,
    createdAt: z.string(),
    invitedBy: ActorReference,
    /** The person that the member is; absent while invited. */
    personId: z.string().optional(),
    /** As the issuer said at the first sign-in; absent if it said none. */
    name: z.string().optional(),
    joinedAt: z.string().optional(),
});
/** The number of a workspace's members by role who have joined. One item for each workspace. */
export const MemberCounts = z.object({
    owners: z.int(),
    members: z.int(),
    /**
     * How often somebody was invited; absent before the first time. An invitation has the condition that no other came since the
     * members were read, because only an invitation adds an address.
     */
    invitations: z.int().optional(),
});
/** A workspace of a person, in the person's partition: what a request needs to know about its caller. */
export const Membership = z.object({
    personId: z.string(),
    workspaceId: z.uuid(),
    memberId: z.uuid(),
    role: RoleSchema,
});
/** An invitation, found by the digest of its email address. */
export const Invitation = z.object({ workspaceId: z.uuid(), memberId: z.uuid() });
/** A sign-in under way, found by the digest of the browser's cookie. The callback deletes it. */
export const SignIn = z.object({
    state: z.string(),
    nonce: z.string(),
    codeVerifier: z.string(),
    /** The redirect URI of this sign-in: the panel's host is the one that the browser used. */
    redirectUri: z.string(),
    /** A path of the panel. */
    returnTo: z.string(),
    /** Whether the person must prove again who they are. */
    isAgain: z.boolean().optional(),
    /** The digest of the session that the browser had before, which ends. */
    endsSession: z.string().optional(),
    beganAt: z.string(),
    expiresAt: z.string(),
});
/** A session, found by the digest of its cookie. */
export const Session = z.object({
    id: z.uuid(),
    personId: z.string(),
    email: z.string(),
    name: z.string().optional(),
    signedInAt: z.string(),
    /** When the issuer last saw the person prove who they are; absent if it did not say. */
    provedAt: z.string().optional(),
    /** The browser's `User-Agent`, shortened. */
    browser: z.string(),
});
/** When a session was last used. An item of its own, so that API functions need no right to write sessions. */
export const SessionUse = z.object({
    /** At most {@link useRecordedEveryMs} older than the last use. */
    usedAt: z.string(),
});
/** A session in its person's list, in the person's partition. */
export const ListedSession = z.object({
    id: z.uuid(),
    digest: z.string(),
    signedInAt: z.string(),
    browser: z.string(),
});
