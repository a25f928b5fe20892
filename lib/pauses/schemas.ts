import * as z from 'zod';

/** What operators have paused. Publishing of everything in its scope waits until the pause ends. */
export const Pause = z.object({
  id: z.uuid(),
  /** What is paused, as text: see `scopeText`. */
  scope: z.string(),
  /** Shown to users whose posts wait. One line. */
  reason: z.string(),
  /** A timestamp. */
  since: z.string(),
});
export type Pause = z.infer<typeof Pause>;
