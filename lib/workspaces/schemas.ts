import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { Permission } from '../access/permissions.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';

export const defaultStorageQuotaBytes = 10 * 1024 ** 3;

/** A tenant. An upload grant subtracts its size from `storageFreeBytes` in one conditional write. */
export const Workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  /** IANA time zone in which people see its times; absent: UTC. */
  timezone: z.string().optional(),
  createdAt: z.string(),
  storageQuotaBytes: z.int(),
  storageFreeBytes: z.int(),
  /** The number of its imports that have not ended: of its files with `isCountedImport`. Absent before the first. */
  openImports: z.int().optional(),
  /** The number of its webhook endpoints; absent before the first. */
  webhooks: z.int().optional(),
  /** Hosts that a connection's `redirectUrl` may have; absent if it may have any. */
  redirectHosts: z.array(z.string()).optional(),
  /** Requests per minute of all of its keys together; absent if the stage's limit applies. */
  ratePerMinute: z.int().optional(),
  /** How often keys were issued, or changed by a change of the workspace; absent before the first. See `key-copies.ts`. */
  keyChanges: z.int().optional(),
  /** Signs this workspace's cursors. */
  cursorSecret: z.string(),
  /** Since when its keys are refused and nothing is published; absent while it is active. */
  suspendedAt: z.string().optional(),
  /** When its erasure begins, if an operator has asked to delete it. Until then it can be resumed. */
  deleteAfter: z.string().optional(),
  /** Who asked to delete it, for the line that remains of it. */
  deletedBy: ActorReference.optional(),
  /** When its erasure began. From then on nothing brings it back. */
  erasingSince: z.string().optional(),
  /** Since when nothing writes to it any more. Its rows are erased an hour later. */
  closedAt: z.string().optional(),
  /** When the erasure must next be worked. */
  dueAt: z.string().optional(),
});
export type Workspace = z.infer<typeof Workspace>;

export const WorkspaceState = z.enum(['active', 'suspended', 'deleting', 'erasing', 'gone']);
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** The state of a workspace; `gone` if there is none. */
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

/** What limits an API key. Absent fields do not limit it. */
const KeyLimits = z.object({
  permissions: z.array(Permission).optional(),
  accountIds: z.array(z.uuid()).optional(),
  /** From this moment on the key is refused. */
  expiresAt: z.string().optional(),
  /** Requests per minute; absent if the stage's limit applies. */
  ratePerMinute: z.int().optional(),
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
  /** The workspace's own `ratePerMinute`, copied so that a request reads one item. */
  workspaceRatePerMinute: z.int().optional(),
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
