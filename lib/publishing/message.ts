import * as z from 'zod';
import type { Target } from '../targets/schemas.ts';

/**
 * What the publish queue carries: which target, and which of its wakes. Never its state: the worker reads that. A
 * message whose number is not the target's any more is out of date.
 */
export const PublishMessage = z.object({
  workspaceId: z.uuid(),
  postId: z.uuid(),
  accountId: z.uuid(),
  wakeNumber: z.int(),
});
export type PublishMessage = z.infer<typeof PublishMessage>;

/** The message that sets off a target's present wake. */
export function messageOf({ workspaceId, postId, accountId, wakeNumber }: Target): PublishMessage {
  return { workspaceId, postId, accountId, wakeNumber };
}
