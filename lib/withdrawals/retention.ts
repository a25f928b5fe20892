/**
 * How long copies of deleted data last. `docs/privacy.md` promises the same; `test/infra/privacy.test.ts` compares both with the
 * stacks.
 */
export const copiesKeptDays = {
  /** DynamoDB's point-in-time recovery restores any second of this time, and cannot be made to forget one item earlier. */
  backups: 35,
  /** Production keeps logs for three months. Lines have ids and no content. */
  logs: 90,
} as const;
