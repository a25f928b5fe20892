import * as z from 'zod';

export const defaultStorageQuotaBytes = 10 * 1024 ** 3;

/** A tenant. `storageFreeBytes` is what is left of the quota: a grant takes from it under a condition, in one write. */
export const Workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  storageQuotaBytes: z.int(),
  storageFreeBytes: z.int(),
  /** How many webhook endpoints it has; absent before its first. */
  webhooks: z.int().optional(),
  /** Seals this workspace's cursors. */
  cursorSecret: z.string(),
});
export type Workspace = z.infer<typeof Workspace>;

/** A key as its workspace lists it: everything but the key. */
export const ListedKey = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  name: z.string(),
  digest: z.string(),
  createdAt: z.string(),
  revokedAt: z.string().optional(),
});
export type ListedKey = z.infer<typeof ListedKey>;

/** Who a key speaks for: what a request needs to know of its caller, in the one item its digest finds. */
export const Caller = z.object({
  workspaceId: z.uuid(),
  keyId: z.uuid(),
  cursorSecret: z.string(),
});
export type Caller = z.infer<typeof Caller>;
