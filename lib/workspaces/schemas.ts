import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { Permission } from '../access/permissions.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { storedTimezone } from '../kernel/time-zone.ts';

export const defaultStorageQuotaBytes = 10 * 1024 ** 3;

/** A tenant. An upload grant subtracts its size from `storageFreeBytes` in one conditional write. */
export const Workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The IANA time zone in which people see its times; absent: UTC. */
  timezone: z.string().overwrite(storedTimezone).optional(),
  createdAt: z.string(),
  storageQuotaBytes: z.int(),
  storageFreeBytes: z.int(),
  /** The number of its imports that have not ended: its files with `isCountedImport`. Absent before the first. */
  openImports: z.int().optional(),
  /** The number of its webhook endpoints; absent before the first. */
  webhooks: z.int().optional(),
  /** The number of its saved texts; absent before the first. */
  snippets: z.int().optional(),
  /** The time at which its event feed was turned on; absent if nobody has decided about it yet. */
  eventFeedSince: z.string().optional(),
  /** True if its event feed was turned off. */
  eventFeedOff: z.boolean().optional(),
  /** The last sequence before its event feed was turned on again; absent if it was turned on once. */
  eventFeedAfter: z.int().optional(),
  /** The hosts that are allowed in a connection's `redirectUrl`; absent if any host is. */
  redirectHosts: z.array(z.string()).optional(),
  /** Requests per minute of all of its keys together; absent if the stage's limit applies. */
  ratePerMinute: z.int().optional(),
  /**
   * The number of times that keys were issued, or changed by a change of the workspace; absent before the first. See
   * `key-copies.ts`.
   */
  keyChanges: z.int().optional(),
  /** The secret that signs this workspace's cursors. */
  cursorSecret: z.string(),
  /** The time since which its keys are refused and nothing is published; absent while it is active. */
  suspendedAt: z.string().optional(),
  /** The beginning of its erasure, if an operator has asked to delete it. Until then it can be resumed. */
  deleteAfter: z.string().optional(),
  /** The operator who asked to delete it, for the line that remains of it. */
  deletedBy: ActorReference.optional(),
  /** The time at which its erasure began. From then on nothing brings it back. */
  erasingSince: z.string().optional(),
  /** The time since which nothing writes to it any more. Its rows are erased an hour later. */
  closedAt: z.string().optional(),
  /** The next time at which the erasure must process it. */
  dueAt: z.string().optional(),
});
export type Workspace = z.infer<typeof Workspace>;

export const WorkspaceState = z.enum(['active', 'suspended', 'deleting', 'erasing', 'gone']);
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** Returns the state of a workspace; `gone` if there is none. */
export function workspaceState(
  workspace: Pick<Workspace, 'suspendedAt' | 'deleteAfter' | 'erasingSince'> | undefined,
): WorkspaceState {
  if (workspace === undefined) return 'gone';
  if (workspace.erasingSince !== undefined) return 'erasing';
  if (workspace.deleteAfter !== undefined) return 'deleting';
  return workspace.suspendedAt === undefined ? 'active' : 'suspended';
}

export const workspaceLifeCycle: LifeCycle<WorkspaceState> = {
  active: ['suspended', 'deleting'],
  suspended: ['active', 'deleting'],
  deleting: ['active', 'erasing'],
  erasing: ['gone'],
  gone: [],
};

/** The permissions that release 0.1.0 does not know. */
const LaterPermission = Permission.extract(['draft']);

/** The limits of an API key. Absent fields do not limit it. */
const KeyLimits = z.object({
  /** A key that has later permissions only has none of these. */
  permissions: z.array(Permission.exclude(LaterPermission.options)).optional(),
  /** An attribute of their own: release 0.1.0 ignores it, and so grants less. It cannot read a list that names one of them. */
  laterPermissions: z.array(LaterPermission).optional(),
  accountIds: z.array(z.uuid()).optional(),
  /** The time from which the key is refused. */
  expiresAt: z.string().optional(),
  /** Requests per minute; absent if the stage's limit applies. */
  ratePerMinute: z.int().optional(),
});
export type KeyLimits = z.infer<typeof KeyLimits>;

/** A client program to which a person has given access, and the membership on which the access rests. */
export const KeyGrant = z.object({
  /** The URL of the client's metadata document. */
  clientId: z.string(),
  clientName: z.string(),
  personId: z.string(),
  memberId: z.uuid(),
});
export type KeyGrant = z.infer<typeof KeyGrant>;

/** A key's permissions as they are stored. */
export type StoredPermissions = Pick<KeyLimits, 'permissions' | 'laterPermissions'>;

/** Returns all permissions of a key, in one order; `undefined` if it has all that there are. */
export function permissionsOf({
  permissions,
  laterPermissions = [],
}: StoredPermissions): Permission[] | undefined {
  if (permissions === undefined) return undefined;
  const granted: readonly Permission[] = [...permissions, ...laterPermissions];
  return Permission.options.filter((each) => granted.includes(each));
}

/** Returns a list of permissions as it is stored. */
export function storedPermissions(granted: readonly Permission[]): StoredPermissions {
  const isLater = (each: Permission): each is z.infer<typeof LaterPermission> =>
    LaterPermission.safeParse(each).success;
  const later = granted.filter(isLater);
  return {
    permissions: granted.filter((each) => !isLater(each)),
    ...(later.length > 0 && { laterPermissions: later }),
  };
}

/** An API key in its workspace's list: everything except the key itself. */
export const ListedKey = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  name: z.string(),
  digest: z.string(),
  /** Absent for keys of earlier releases. */
  lastFour: z.string().optional(),
  /** The digest of the value before the last rotation, if that had an overlap. */
  previousDigest: z.string().optional(),
  /** The time from which the value before the last rotation is refused. */
  previousUntil: z.string().optional(),
  ...KeyLimits.shape,
  createdAt: z.string(),
  /** Absent for keys of earlier releases, which operators created. */
  createdBy: ActorReference.optional(),
  revokedAt: z.string().optional(),
  /** Present if it is a grant: its secrets are the tokens of a client, and `digest` is that of what they share. */
  grant: KeyGrant.optional(),
});
export type ListedKey = z.infer<typeof ListedKey>;

/** The caller's data that a request needs. One item for each valid value of an API key, found by its digest. */
export const Caller = z.object({
  workspaceId: z.uuid(),
  keyId: z.uuid(),
  cursorSecret: z.string(),
  ...KeyLimits.shape,
  /** The workspace's own `ratePerMinute`, copied so that a request reads one item. */
  workspaceRatePerMinute: z.int().optional(),
  /** The time since which the workspace is suspended. */
  suspendedAt: z.string().optional(),
  grant: KeyGrant.optional(),
});
export type Caller = z.infer<typeof Caller>;

/** The day on which an API key was last used. A separate item, so that API functions need no right to write keys. */
export const KeyUse = z.object({
  /** The day as `YYYY-MM-DD`, in UTC. */
  day: z.string(),
});
export type KeyUse = z.infer<typeof KeyUse>;
