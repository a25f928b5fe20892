/**
 * The number of days for which copies of deleted data last. `docs/privacy.md` promises the same; `test/infra/privacy.test.ts`
 * compares both with the stacks.
 */
export const copiesKeptDays = {
  /** The days of DynamoDB's point-in-time recovery, which restores any second in them and cannot forget one item earlier. */
  backups: 35,
  /** The days for which production keeps logs. Lines have ids and no content. */
  logs: 90,
} as const;
