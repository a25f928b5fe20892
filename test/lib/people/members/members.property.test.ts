import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { HeraldError } from '../../../../lib/kernel/errors.ts';
import { addressDigest } from '../../../../lib/people/email-address.ts';
import { changeRole, removeMember } from '../../../../lib/people/members/change.ts';
import { inviteMember } from '../../../../lib/people/members/invite.ts';
import { findMemberCounts, queryMembers } from '../../../../lib/people/members/store.ts';
import { Invitation, Member, Membership } from '../../../../lib/people/schemas.ts';
import { invitedPartition, personPartition } from '../../../../lib/table/keys.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { anOperator } from '../../../support/acts.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { fakeDirectory, join } from '../../../support/members.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const people = ['ada', 'bob', 'cay', 'dan'] as const;
/** An address is invited in one workspace only, so that no other run of the test joins by it. */
const addressOf = (workspaceId: string, name: string) => `${name}@${workspaceId}.example`;
const role = fc.constantFrom('owner', 'member');
const name = fc.constantFrom(...people);
const step = fc.oneof(
  fc.record({ kind: fc.constant('invite'), name, role }),
  fc.record({ kind: fc.constant('join'), name }),
  fc.record({ kind: fc.constant('change role'), name, role }),
  fc.record({ kind: fc.constant('remove'), name }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** The steps of a batch are taken at the same time. */
const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });

async function read(workspaceId: string) {
  const members = (await queryMembers(table, workspaceId)).map((item) => Member.parse(item));
  const personsItems = await Promise.all(
    people.map((each) => queryAll(table, { partition: personPartition(`${each} of ${workspaceId}`) })),
  );
  const invited = await Promise.all(
    people.map((each) =>
      queryAll(table, { partition: invitedPartition(addressDigest(addressOf(workspaceId, each))) }),
    ),
  );
  return {
    members,
    memberships: personsItems.flat().map((item) => Membership.parse(item)),
    invitations: invited
      .flat()
      .map((item) => Invitation.parse(item))
      .filter((invitation) => invitation.workspaceId === workspaceId),
    counts: (await findMemberCounts(table, workspaceId)) ?? { owners: 0, members: 0 },
  };
}

function take(workspaceId: string, members: readonly Member[], each: Step): Promise<unknown> {
  const context = { ...anOperator(table, startMs, 'member.invite'), workspaceId, directory: fakeDirectory() };
  const email = addressOf(workspaceId, each.name);
  const memberId = members.find((member) => member.email === email)?.id;
  switch (each.kind) {
    case 'invite':
      return inviteMember(context, { email, role: each.role });
    case 'join':
      return join(table, { workspaceId, email, personId: `${each.name} of ${workspaceId}` });
    case 'change role':
      return memberId === undefined ? Promise.resolve() : changeRole(context, { memberId, role: each.role });
    case 'remove':
      return memberId === undefined ? Promise.resolve() : removeMember(context, memberId);
  }
}

const byId = (one: { memberId: string }, other: { memberId: string }) =>
  one.memberId < other.memberId ? -1 : 1;

it('any changes at the same time keep numbers, pointers and invitations true, and an owner', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const { workspaceId } = (await openWorkspace(table)).context;
      let hadOwner = false;
      for (const batch of all) {
        const { members: before } = await read(workspaceId);
        const outcomes = await Promise.allSettled(batch.map((each) => take(workspaceId, before, each)));
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(HeraldError);
        const { members, memberships, invitations, counts } = await read(workspaceId);
        const joined = members.filter(({ personId }) => personId !== undefined);
        const owners = joined.filter((member) => member.role === 'owner').length;
        expect(counts).toMatchObject({ owners, members: joined.length - owners });
        expect(new Set(members.map(({ email }) => email)).size).toBe(members.length);
        expect(memberships.toSorted(byId)).toEqual(
          joined
            .map(({ id: memberId, personId, role: given }) => ({
              personId,
              workspaceId,
              memberId,
              role: given,
            }))
            .toSorted(byId),
        );
        expect(invitations.map(({ memberId }) => memberId).sort()).toEqual(
          members.flatMap(({ id, personId }) => (personId === undefined ? [id] : [])).sort(),
        );
        hadOwner ||= owners > 0;
        if (hadOwner) expect(owners).toBeGreaterThan(0);
      }
    }),
    { numRuns: 30 },
  );
}, 120_000);
