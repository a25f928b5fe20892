import * as z from 'zod';

/** A message of the import queue: the file to fetch. Carries no state, because the worker reads it. */
export const ImportMessage = z.object({
  workspaceId: z.uuid(),
  mediaId: z.uuid(),
  /** See `ContinuedMessage`. */
  sends: z.int().optional(),
});
export type ImportMessage = z.infer<typeof ImportMessage>;
