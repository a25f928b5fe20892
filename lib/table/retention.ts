import * as z from 'zod';
import { secondMs } from '../kernel/clock.ts';

/** Ten years: longer is for ever. */
const mostDays = 3_650;
/** What people write to accounts, with its backups of 35 days, is gone before the 400th day: see `docs/privacy.md`. */
const mostDaysOfPeople = 360;

const days = (least: number, most = mostDays) => z.int().min(least).max(most);

/**
 * How long each kind of record is kept, in days: a setting of the stage. The table's TTL removes it after that; readers treat
 * it as gone from the second of its expiry. The least values are what the service itself still needs of a record.
 */
export const RetentionDays = z.strictObject({
  /**
   * A post with its destinations and their timelines, from the moment at which all of them are live or have failed. Absent: for
   * ever. At least the 30 days for which its idempotency key is remembered and its files are kept.
   */
  posts: days(30).exactOptional(),
  /** Events for customers' endpoints and their deliveries, from the event on. At least the three days of retries, and a weekend. */
  deliveries: days(7, mostDaysOfPeople).exactOptional(),
  /** Entries of the audit log. */
  audit: days(30).exactOptional(),
  /** Comments and messages, from their arrival on. Platforms repeat webhooks for up to a week. */
  inbound: days(8, mostDaysOfPeople).exactOptional(),
});
export type RetentionDays = z.infer<typeof RetentionDays>;

/** What is kept if the stage does not say otherwise. Posts are kept for ever: they are the client's content. */
export const defaultRetention = { deliveries: 30, audit: 400, inbound: 8 } as const;

/** The times of a stage, with the defaults. */
export type Retention = Readonly<RetentionDays> & Readonly<Record<keyof typeof defaultRetention, number>>;

/** @throws Error that names the kind of record and its least time */
export function readRetention(given: RetentionDays): Retention {
  const parsed = RetentionDays.safeParse(given);
  if (parsed.success) return { ...defaultRetention, ...parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `retentionDays.${path.join('.')}: ${message}`,
  );
  throw new Error(problems.join('; '));
}

/** Whether a record is gone, although DynamoDB may take days to remove it. @param now epoch milliseconds */
export function isExpired(
  { expiresAtSeconds }: { readonly expiresAtSeconds?: unknown },
  now: number,
): boolean {
  return typeof expiresAtSeconds === 'number' && expiresAtSeconds * secondMs <= now;
}
