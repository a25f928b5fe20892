import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';

/** The platforms that send deauthorize and data-deletion callbacks: Meta's. */
export const MetaPlatform = z.enum(['facebook', 'instagram', 'threads']);
export type MetaPlatform = z.infer<typeof MetaPlatform>;

/** A person's request at the platform: to remove our app, or to have their data deleted too. */
export const WithdrawalRequest = z.enum(['deauthorize', 'deletion']);
export type WithdrawalRequest = z.infer<typeof WithdrawalRequest>;

export const WithdrawalStatus = z.enum(['pending', 'complete']);
export type WithdrawalStatus = z.infer<typeof WithdrawalStatus>;

/** A person's request to end their authorization, as stored. Its id is the digest of its confirmation code. */
export const Withdrawal = z.object({
  id: z.string(),
  platform: MetaPlatform,
  request: WithdrawalRequest,
  status: WithdrawalStatus,
  /** The person's id at the platform, while the request is pending. Nothing else here is about the person. */
  userId: z.string().exactOptional(),
  /** The time by which an account must have been connected to be covered. */
  connectedBy: z.string(),
  receivedAt: z.string(),
  completedAt: z.string().exactOptional(),
  /** The number of failed runs. */
  failures: z.int(),
  /** The time of the sweep's next run; absent once it is complete. */
  dueAt: z.string().exactOptional(),
  expiresAtSeconds: z.int(),
});
export type Withdrawal = z.infer<typeof Withdrawal>;

export const withdrawalLifeCycle: LifeCycle<WithdrawalStatus> = { pending: ['complete'], complete: [] };
