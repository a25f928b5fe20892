import * as z from 'zod';

/** A pause by operators. Publishing of everything in its scope waits until it ends. */
export const Pause = z.object({
  id: z.uuid(),
  /** The scope as text: see `scopeText`. */
  scope: z.string(),
  /** The reason, shown to users with waiting posts. One line. */
  reason: z.string(),
  /** A timestamp. */
  since: z.string(),
});
export type Pause = z.infer<typeof Pause>;
