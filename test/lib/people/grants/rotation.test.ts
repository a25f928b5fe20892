import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs } from '../../../../lib/kernel/clock.ts';
import { findGrantCaller } from '../../../../lib/people/grants/find-caller.ts';
import { repeatMs } from '../../../../lib/people/grants/schemas.ts';
import { readToken } from '../../../../lib/people/grants/tokens.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { giveAccess, redeem, refresh, tokensIn } from '../../../support/grants.ts';
import { aPerson } from '../../../support/members.ts';
import { storeMember } from '../../../support/people.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
let workspaceId: string;
beforeAll(async () => {
  table = await createTestTable();
  workspaceId = (await openWorkspace(table)).context.workspaceId;
  await storeMember(table, workspaceId, { personId: aPerson().id, role: 'owner' });
});

/** Somebody presents one of the refresh tokens so far, the newest being 0, some time after the last. */
const presentation = fc.record({
  age: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) }),
  waitMs: fc.constantFrom(0, 1, repeatMs - 1, repeatMs, repeatMs + 1, hourMs),
});

describe('the refresh tokens of a grant, whoever presents them', () => {
  it('are one line: the newest continues it, the one before repeats it for a minute, any other ends it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(presentation, { maxLength: 8 }), async (presentations) => {
        let now = startMs;
        let rotatedAt = now;
        let isOver = false;
        const line = [tokensIn(await redeem(table, await giveAccess(table, workspaceId)))];
        for (const { age, waitMs } of presentations) {
          now += waitMs;
          const presented = line.at(-1 - age);
          if (!presented) continue;
          const outcome = await refresh(table, presented.refresh_token, { now });
          const isRepeat = age === 1 && now - rotatedAt < repeatMs;
          if (isOver || (age > 0 && !isRepeat)) {
            expect(outcome).toMatchObject({ error: 'invalid_grant' });
            isOver = true;
          } else if (isRepeat) {
            expect(tokensIn(outcome).refresh_token).toBe(line.at(-1)?.refresh_token);
          } else {
            const next = tokensIn(outcome);
            expect(line.map(({ refresh_token }) => refresh_token)).not.toContain(next.refresh_token);
            line.push(next);
            rotatedAt = now;
          }
        }
        const newest = readToken('access', line.at(-1)?.access_token ?? '');
        const caller = newest && (await findGrantCaller(table, newest, rotatedAt));
        expect(caller === undefined).toBe(isOver);
      }),
      { numRuns: 60 },
    );
  });
});
