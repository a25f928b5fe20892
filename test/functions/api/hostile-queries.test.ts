import { beforeAll, describe, it } from 'vitest';
import { operations } from '../../../lib/operations.ts';
import { bombard, type HostileDesk, openHostileDesk } from '../../support/hostile-requests.ts';

let desk: HostileDesk;
beforeAll(async () => {
  desk = await openHostileDesk();
});

const withoutBody = operations
  .filter(({ body, query, pathParameters }) => !body && (query || pathParameters))
  .map((op) => [op.id, op] as const);

describe('200 generated paths and queries', { timeout: 60_000 }, () => {
  it.each(withoutBody)('leave %s able to answer', async (_id, op) => {
    await bombard(desk, op, 200);
  });
});
