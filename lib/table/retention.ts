import * as z from 'zod';
import { secondMs } from '../kernel/clock.ts';

/** The maximum setting: ten years. Longer is forever. */
const mostDays = 3_650;
/**
 * The maximum setting for messages of people, so that they and their backups of 35 days are gone before the 400th day: see
 * `docs/privacy.md`.
 */
const mostDaysOfPeople = 360;

/** Whatever the setting is or was, no event has expired that was recorded in so many days. */
export const leastDeliveryDays = 7;

const days = (least: number, most = mostDays) => z.int().min(least).max(most);

/**
 * The days for which each kind of record is kept: a setting of the stage. The table's TTL removes it after that; readers treat it
 * as gone from the second of its expiry. Below the minimum values, the service itself would still need a record.
 */
export const RetentionDays = z.strictObject({
  /**
   * A post with its destinations and their timelines, from the moment at which all of them are live or have failed. Absent: for
   * ever. At least the 30 days for which its idempotency key is remembered and its files are kept.
   */
  posts: days(30).exactOptional(),
  /** Events for customers' endpoints and their deliveries, from the event on. At least the three days of retries, and a weekend. */
  deliveries: days(leastDeliveryDays, mostDaysOfPeople).exactOptional(),
  /** Entries of the audit log. */
  audit: days(30).exactOptional(),
  /** Comments and messages, from their arrival on. Platforms repeat webhooks for up to a week. */
  inbound: days(8, mostDaysOfPeople).exactOptional(),
});
export type RetentionDays = z.infer<typeof RetentionDays>;

/** The retention unless the stage sets another. Posts are kept forever: they are the client's content. */
export const defaultRetention = { deliveries: 30, audit: 400, inbound: 8 } as const;

/** The retention of a stage, with the defaults. */
export type Retention = Readonly<RetentionDays> & Readonly<Record<keyof typeof defaultRetention, number>>;

/** @throws Error that names the kind of record and its minimum time */
export function readRetention(given: RetentionDays): Retention {
  const parsed = RetentionDays.safeParse(given);
  if (parsed.success) return { ...defaultRetention, ...parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `retentionDays.${path.join('.')}: ${message}`,
  );
  throw new Error(problems.join('; '));
}

/** True if a record is gone, although DynamoDB may take days to remove it. @param now epoch milliseconds */
export function isExpired(
  { expiresAtSeconds }: { readonly expiresAtSeconds?: unknown },
  now: number,
): boolean {
  return typeof expiresAtSeconds === 'number' && expiresAtSeconds * secondMs <= now;
}
