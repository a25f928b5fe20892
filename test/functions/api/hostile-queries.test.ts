import { beforeAll, describe, it } from 'vitest';
import { operations } from '../../../lib/operations.ts';
import { bombard, type HostileFixture, openHostileFixture } from '../../support/hostile-requests.ts';

let fixture: HostileFixture;
beforeAll(async () => {
  fixture = await openHostileFixture();
});

const withoutBody = operations
  .filter(({ body, query, pathParameters }) => !body && (query || pathParameters))
  .map((op) => [op.id, op] as const);

describe('generated paths and queries', { timeout: 300_000 }, () => {
  it.each(withoutBody)('do not break %s', async (_id, op) => {
    await bombard(fixture, op);
  });
});
