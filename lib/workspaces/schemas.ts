import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { Permission } from '../access/permissions.ts';

export const defaultStorageQuotaBytes = 10 * 1024 ** 3;

/** A tenant. An upload grant subtracts its size from `storageFreeBytes` in one conditional write. */
export const Workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  storageQuotaBytes: z.int(),
  storageFreeBytes: z.int(),
  /** The number of its webhook endpoints; absent before the first. */
  webhooks: z.int().optional(),
  /** Hosts that a connection's `redirectUrl` may have; absent if it may have any. */
  redirectHosts: z.array(z.string()).optional(),
  /** Signs this workspace's cursors. */
  cursorSecret: z.string(),
});
export type Workspace = z.infer<typeof Workspace>;

/** What limits an API key. Absent fields do not limit it. */
const KeyLimits = z.object({
  permissions: z.array(Permission).optional(),
  accountIds: z.array(z.uuid()).optional(),
  /** From this moment on the key is refused. */
  expiresAt: z.string().optional(),
});
export type KeyLimits = z.infer<typeof KeyLimits>;

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
  /** From this moment on the value before the last rotation is refused. */
  previousUntil: z.string().optional(),
  ...KeyLimits.shape,
  createdAt: z.string(),
  /** Absent for keys of earlier releases, which operators created. */
  createdBy: ActorReference.optional(),
  revokedAt: z.string().optional(),
});
export type ListedKey = z.infer<typeof ListedKey>;

/** What a request needs to know about its caller. One item for each valid value of an API key, found by its digest. */
export const Caller = z.object({
  workspaceId: z.uuid(),
  keyId: z.uuid(),
  cursorSecret: z.string(),
  ...KeyLimits.shape,
  /** Since when the workspace is suspended. */
  suspendedAt: z.string().optional(),
});
export type Caller = z.infer<typeof Caller>;

/** On which day an API key was last used. An item of its own, so that API functions need no right to write keys. */
export const KeyUse = z.object({
  /** As `YYYY-MM-DD`, in UTC. */
  day: z.string(),
});
export type KeyUse = z.infer<typeof KeyUse>;
