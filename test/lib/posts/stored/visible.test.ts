import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../../lib/access/actor.ts';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { listPosts } from '../../../../lib/posts/list/list-posts.ts';
import { readPost } from '../../../../lib/posts/read.ts';
import type { Post } from '../../../../lib/posts/stored/schemas.ts';
import { seesPost } from '../../../../lib/posts/stored/visible.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { aPost, aTarget, openWorkspace, startMs, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

const accounts = [newId(1), newId(2), newId(3)];
const someAccounts = fc.subarray(accounts);

/** Accounts that a post names, as destinations and in its chain. */
interface Named {
  readonly destinations: readonly string[];
  readonly steps: readonly string[][];
}
const anyNamed: fc.Arbitrary<Named> = fc.record({
  destinations: someAccounts,
  steps: fc.array(fc.subarray(accounts, { minLength: 1 }), { maxLength: 2 }),
});
const all = ({ destinations, steps }: Named) => [...destinations, ...steps.flat()];

const targetsOf = ({ destinations }: Named) => destinations.map((accountId) => ({ accountId }));
const chainOf = ({ steps }: Named): NonNullable<Post['chain']> =>
  steps.map((accountIds) => ({
    kind: 'crossPost',
    accountIds,
    afterMinutes: 0,
    options: '{}',
    status: 'waiting',
  }));

const keyFor = (accountIds: readonly string[]): Actor => ({ kind: 'key', id: 'k', accountIds });
const unlimited: readonly Actor[] = [
  { kind: 'key', id: 'k' },
  { kind: 'person', id: 'p', role: 'member', sessionId: 's', signedInAt: 0 },
  { kind: 'operator', id: 'ada' },
];

describe('a post', () => {
  it('is visible to a limited key if and only if the key may use every account that the post names', () => {
    fc.assert(
      fc.property(anyNamed, someAccounts, (named, list) => {
        const targets = targetsOf(named).map((target) => aTarget(target));
        const post = { ...aPost(targets), targets, chain: chainOf(named) };
        const isVisible = all(named).every((accountId) => list.includes(accountId));
        expect(seesPost(keyFor(list), post)).toBe(isVisible);
        for (const actor of unlimited) expect(seesPost(actor, post)).toBe(true);
      }),
    );
  });

  it('is invisible if a concurrent edit has just given it a target outside the list', () => {
    const [inside, outside] = accounts.map((accountId) => aTarget({ accountId }));
    const post = aPost(inside ? [inside] : []);
    const key = keyFor(accounts.slice(0, 1));
    expect(seesPost(key, post, [])).toBe(true);
    expect(seesPost(key, post, outside ? [outside] : [])).toBe(false);
  });
});

describe('the lists of a limited key', () => {
  let table: Table;
  beforeAll(async () => {
    table = await createTestTable();
  });

  async function pagesOf(context: Context, filters: { accountId?: string[] }, limit: number) {
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { posts, nextCursor } = await listPosts(context, { ...filters, limit, cursor });
      expect(posts.length).toBeLessThanOrEqual(limit);
      ids.push(...posts.map(({ id }) => id));
      if (nextCursor === null) return ids;
      cursor = nextCursor;
    }
  }

  it('are those of a full key without the posts that it cannot read, for pages of any size', async () => {
    const anyFilter = fc.option(fc.constantFrom(...accounts), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyNamed, { maxLength: 6 }),
        someAccounts,
        fc.integer({ min: 1, max: 7 }),
        anyFilter,
        async (posts, list, limit, accountId) => {
          const { context } = await openWorkspace(table);
          for (const [index, named] of posts.entries())
            await storePost(table, context.workspaceId, targetsOf(named), {
              id: newId(startMs + index),
              chain: chainOf(named),
            });
          const limited = { ...context, actor: keyFor(list) };
          const filters = accountId === undefined ? {} : { accountId: [accountId] };
          const readable: string[] = [];
          for (const id of await pagesOf(context, filters, 500)) {
            const isReadable = await readPost(limited, id).then(
              () => true,
              () => false,
            );
            if (isReadable) readable.push(id);
          }
          expect(await pagesOf(limited, filters, limit)).toEqual(readable);
        },
      ),
      { numRuns: 25 },
    );
  });
});
