import { parseAsBody } from '../../../../functions/middleware/parse-request.ts';
import type { BulkContext } from '../../../../lib/posts/bulk/create-posts.ts';
import { createPostOperation } from '../../../../lib/posts/request/operations.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs, storeAccount } from '../../../support/builders.ts';
import { mediaItem, openFixture } from '../fixture.ts';

/** A workspace as of {@link openFixture}, with a third account, and what a bulk of posts needs. */
export async function openBulkFixture(table: Table) {
  const fixture = await openFixture(table);
  const { workspaceId } = fixture.context;
  const [second, failures] = [
    await storeAccount(table, workspaceId, { platformAccountId: '2' }),
    [] as { index: number; error: unknown }[],
  ];
  const bulk: BulkContext = {
    ...fixture.context,
    parse: (item) => parseAsBody(createPostOperation, item),
    clock: () => startMs,
    untilMs: startMs + 24_000,
    reportFailure: (index, error) => failures.push({ index, error }),
  };
  /** A post as a client writes it: with an image to Instagram. */
  const item = (changes: object = {}) => ({
    content: 'Fresh bread every morning',
    platforms: [{ accountId: fixture.instagram.id }],
    mediaItems: [mediaItem(fixture.image)],
    ...changes,
  });
  return { ...fixture, bulk, failures, second, item };
}
