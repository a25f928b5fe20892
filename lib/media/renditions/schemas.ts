import * as z from 'zod';
import { Recipe } from './recipe.ts';

/**
 * A file that Herald makes from an original, for a platform that does not take the original as it is. It does not count
 * towards the storage quota, and is removed with its original.
 */
export const Rendition = z.object({
  /** See `renditionIdOf`. */
  id: z.string(),
  workspaceId: z.uuid(),
  mediaId: z.uuid(),
  recipe: Recipe,
  /** The key of its public object, which is written once. */
  objectKey: z.string(),
  /** `wanted`: to be made. `failed`: it cannot be made from this original, see `reason`. */
  status: z.enum(['wanted', 'ready', 'failed']),
  /** The reason for which it cannot be made, in words for the author. */
  reason: z.string().optional(),
  sizeBytes: z.int().optional(),
  /** The SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  sha256: z.string().optional(),
  createdAt: z.string(),
  /** The time at which it was last asked for: `createdAt`, or the first look after a person's retry. */
  wantedAt: z.string(),
  /** The time at which a message for it was last sent, or was about to be. */
  sentAt: z.string(),
  /** The item's version, incremented by every change of its status. */
  version: z.int(),
});
export type Rendition = z.infer<typeof Rendition>;

/** Asks for a rendition to be made. */
export const RenditionMessage = z.object({
  workspaceId: z.uuid(),
  mediaId: z.uuid(),
  renditionId: z.string(),
});
export type RenditionMessage = z.infer<typeof RenditionMessage>;
