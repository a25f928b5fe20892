import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../lib/access/permissions.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { bindInvitations } from '../../../lib/people/bind.ts';
import { addressDigest } from '../../../lib/people/email-address.ts';
import type { Member } from '../../../lib/people/schemas.ts';
import { personIdOf } from '../../../lib/people/sign-in.ts';
import { present } from '../../../lib/table/condition.ts';
import { getItem, updateItem } from '../../../lib/table/items.ts';
import {
  invitationKey,
  type Key,
  memberCountsKey,
  memberKey,
  membershipKey,
  workspaceKey,
} from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { storeInvited, storeMember } from '../../support/people.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable, sendingTwice } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let people = 0;
let personId: string;
let email: string;
let workspaceId: string;
beforeEach(async () => {
  people += 1;
  personId = personIdOf('https://issuer.example.com', `person ${people}`);
  email = `ada-${people}@example.com`;
  ({
    workspace: { id: workspaceId },
  } = await openWorkspace(table));
});

const fail = (message: string, error: unknown) => {
  throw new Error(message, { cause: error });
};
const signIn = (changes: { personId?: string; email?: string; on?: Table } = {}) =>
  bindInvitations(
    { table: changes.on ?? table, now: startMs, requestId: 'the-sign-in', report: fail },
    { personId, email, name: 'Ada', ...changes },
  );

const read = (key: Key) => getItem(table, key);
const memberOf = (member: Member) => read(memberKey(workspaceId, member.id));
const counts = () => read(memberCountsKey(workspaceId));
const invitation = () => read(invitationKey(addressDigest(email), workspaceId));

describe('a person who signs in with an invited address', () => {
  it.each<[Role, object]>([
    ['owner', { owners: 1, members: 0 }],
    ['member', { owners: 0, members: 1 }],
  ])('becomes what the invitation says: %s', async (role, expected) => {
    const member = await storeInvited(table, workspaceId, { email, role });
    await signIn();
    expect(await memberOf(member)).toMatchObject({ personId, name: 'Ada', joinedAt: toTimestamp(startMs) });
    expect(await read(membershipKey(personId, workspaceId))).toMatchObject({
      personId,
      workspaceId,
      memberId: member.id,
      role,
    });
    expect(await counts()).toMatchObject(expected);
    expect(await invitation()).toBeUndefined();
  });

  it('is in the audit log of the workspace, as the one who did it', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await Promise.all([signIn(), signIn()]);
    const entries = (await auditLogOf(table, workspaceId)).filter(({ actor }) => actor.kind === 'person');
    expect(entries).toMatchObject([
      {
        actor: { kind: 'person', id: personId },
        verb: 'member.join',
        subjectId: member.id,
        requestId: 'the-sign-in',
        outcome: 'done',
      },
    ]);
  });

  it.each([
    ['in another case', (of: string) => of.toUpperCase()],
    ['with spaces around it', (of: string) => ` ${of} `],
  ])('is recognized if the issuer writes the address %s', async (_how, written) => {
    const member = await storeInvited(table, workspaceId, { email });
    await signIn({ email: written(email) });
    expect(await memberOf(member)).toMatchObject({ personId });
  });

  it('becomes a member of every workspace that has invited the address', async () => {
    const { workspace: other } = await openWorkspace(table);
    await storeInvited(table, workspaceId, { email });
    await storeInvited(table, other.id, { email, role: 'owner' });
    await signIn();
    expect(await read(membershipKey(personId, workspaceId))).toMatchObject({ role: 'member' });
    expect(await read(membershipKey(personId, other.id))).toMatchObject({ role: 'owner' });
  });

  it.each([
    ['repeated', () => signIn().then(() => signIn())],
    ['concurrent', () => Promise.all([signIn(), signIn(), signIn()])],
    ['sent twice', () => signIn({ on: sendingTwice(table) })],
  ])('joins once if sign-ins are %s', async (_how, run) => {
    await storeInvited(table, workspaceId, { email, role: 'owner' });
    await run();
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
  });

  it('is the only one, if two people have the address at once', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    const otherId = personIdOf('https://other.example.com', email);
    await Promise.all([signIn(), signIn({ personId: otherId })]);
    const bound = String((await memberOf(member))?.['personId']);
    const both = await Promise.all([personId, otherId].map((id) => read(membershipKey(id, workspaceId))));
    expect(both.map((item) => item?.['personId']).filter(Boolean)).toEqual([bound]);
    expect(await counts()).toMatchObject({ owners: 0, members: 1 });
  });

  it('gets the role that the invitation has by then', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    let changes = 0;
    const { counted } = countRequests({ table } as Context, async (name) => {
      if (name !== 'TransactWriteCommand' || changes++ > 0) return;
      const change = { set: { role: 'owner' }, if: { pk: present } };
      await updateItem(table, memberKey(workspaceId, member.id), change);
    });
    await signIn({ on: counted.table });
    expect(await read(membershipKey(personId, workspaceId))).toMatchObject({ role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
  });

  it('stays what they are in a workspace that they belong to by another address', async () => {
    await storeMember(table, workspaceId, { personId, role: 'owner', email: 'first@example.com' });
    const second = await storeInvited(table, workspaceId, { email });
    await signIn();
    expect(await read(membershipKey(personId, workspaceId))).toMatchObject({ role: 'owner' });
    expect(await memberOf(second)).not.toHaveProperty('personId');
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
  });
});

describe('nobody joins', () => {
  it('with another address', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await signIn({ email: `x${email}` });
    expect(await memberOf(member)).not.toHaveProperty('personId');
  });

  // `'K'.toLowerCase()` is `k`: another address, which another person can have.
  it('with an address that is the same only in lower case, outside of ASCII', async () => {
    const member = await storeInvited(table, workspaceId, { email: `k${email}` });
    await signIn({ email: `\u212A${email}` });
    expect(await memberOf(member)).not.toHaveProperty('personId');
  });

  it.each(['', 'not an address', `${'a'.repeat(300)}@example.com`])('with %j as address', async (odd) => {
    await expect(signIn({ email: odd })).resolves.toBeUndefined();
  });

  it('a workspace that is being erased', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await updateItem(table, workspaceKey(workspaceId), {
      set: { erasingSince: toTimestamp(startMs) },
      if: { pk: present },
    });
    await signIn();
    expect(await memberOf(member)).not.toHaveProperty('personId');
    expect(await read(membershipKey(personId, workspaceId))).toBeUndefined();
  });
});
