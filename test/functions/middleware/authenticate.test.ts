import { beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '../../../functions/middleware/authenticate.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createKey, rotateKey } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let workspaceId: string;
beforeAll(async () => {
  table = await createTestTable();
  workspaceId = (await openWorkspace(table)).context.workspaceId;
});

const operator = () => anOperator(table, startMs);
const create = (limits: object) => createKey(operator(), { workspaceId, name: 'till', ...limits });

/** One warm function, and what it answers at a time. */
function warmFunction(apiKey: string) {
  const authenticator = new Authenticator(table);
  return async (atMs: number) => {
    try {
      const { actor } = await authenticator.authenticate(`Bearer ${apiKey}`, atMs);
      return `accepted ${actor.id}`;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

describe('an API key that expires', () => {
  it('is refused at that very moment, also by a function that has it in its cache', async () => {
    const endMs = startMs + 10_000;
    const expiresAt = toTimestamp(endMs);
    const { key, apiKey } = await create({ expiresAt });
    const answer = warmFunction(apiKey);
    expect(await answer(startMs)).toBe(`accepted ${key.id}`);
    expect(await answer(endMs - 1)).toBe(`accepted ${key.id}`);
    expect(await answer(endMs)).toBe(`Authorization: the API key expired at ${expiresAt}`);
    expect(await answer(endMs + 3_600_000)).toBe(`Authorization: the API key expired at ${expiresAt}`);
  });
});

describe('the old value of a rotated key', () => {
  it('is accepted during the overlap and refused when it ends', async () => {
    const { key, apiKey } = await create({});
    const overlapMs = 3_600_000;
    const rotated = await rotateKey(operator(), { workspaceId, keyId: key.id, overlapMs });
    const [old, present] = [warmFunction(apiKey), warmFunction(rotated.apiKey)];
    for (const atMs of [startMs, startMs + overlapMs - 1]) {
      expect([await old(atMs), await present(atMs)]).toEqual([`accepted ${key.id}`, `accepted ${key.id}`]);
    }
    const afterMs = startMs + overlapMs;
    expect(await old(afterMs)).toContain('the API key expired');
    expect(await present(afterMs)).toBe(`accepted ${key.id}`);
  });

  it('is refused within 30 seconds without an overlap', async () => {
    const { key, apiKey } = await create({});
    const old = warmFunction(apiKey);
    expect(await old(startMs)).toBe(`accepted ${key.id}`);
    await rotateKey(operator(), { workspaceId, keyId: key.id });
    expect(await old(startMs + 30_000)).toContain('must contain a valid API key');
  });
});
