import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimForCertain, claimLivePost, findLivePost } from '../../../lib/targets/live-posts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const claimOfSomebody = () => ({
  platform: 'threads',
  platformPostId: 'post-1',
  workspaceId: newId(startMs),
  postId: newId(startMs),
  accountId: newId(startMs),
});

/** The table of a writer before whose first transaction somebody else writes. */
function interrupted(first: () => Promise<unknown>): Table {
  let isFirst = true;
  const client = new Proxy(table.client, {
    get: (real, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (isFirst && command instanceof TransactWriteCommand) {
              isFirst = false;
              await first();
            }
            return real.send(command as Parameters<typeof real.send>[0]);
          }
        : Reflect.get(real, name, real),
  });
  return { ...table, client };
}

describe('a claim of a post that another target has recognized by its looks', () => {
  it('is refused if the response to the other target names the post meanwhile', async () => {
    const [theirs, ours] = [claimOfSomebody(), claimOfSomebody()];
    await claimLivePost(table, theirs);
    const racing = interrupted(() => claimForCertain(table, theirs, startMs));
    expect(await claimForCertain(racing, ours, startMs)).toBe(false);
    expect(await findLivePost(table, theirs, theirs)).toMatchObject({ postId: theirs.postId });
  });

  it('is refused if the response to a third target names the post meanwhile', async () => {
    const [theirs, ours, third] = [claimOfSomebody(), claimOfSomebody(), claimOfSomebody()];
    await claimLivePost(table, theirs);
    const racing = interrupted(() => claimForCertain(table, third, startMs));
    expect(await claimForCertain(racing, ours, startMs)).toBe(false);
    expect(await findLivePost(table, theirs, theirs)).toMatchObject({ postId: third.postId });
  });

  it('stays certain if a lookup of the same target claims the post again', async () => {
    const [theirs, ours] = [claimOfSomebody(), claimOfSomebody()];
    expect(await claimForCertain(table, theirs, startMs)).toBe(true);
    expect(await claimLivePost(table, theirs)).toBe(true);
    expect(await claimForCertain(table, ours, startMs)).toBe(false);
  });
});
