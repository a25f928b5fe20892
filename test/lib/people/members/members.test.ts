import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { addressDigest } from '../../../../lib/people/email-address.ts';
import { changeRole, removeMember } from '../../../../lib/people/members/change.ts';
import { inviteMember } from '../../../../lib/people/members/invite.ts';
import { listMembers } from '../../../../lib/people/members/list.ts';
import { findMemberCounts } from '../../../../lib/people/members/store.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { getItem, putItem, updateItem } from '../../../../lib/table/items.ts';
import {
  invitationKey,
  invitedPartition,
  memberKey,
  membershipKey,
  workspaceKey,
} from '../../../../lib/table/keys.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { anOperator } from '../../../support/acts.ts';
import { auditLogOf } from '../../../support/audit-log.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { aPerson, fakeDirectory, join, storeMember } from '../../../support/members.ts';
import { createTestTable, sendingTwice } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let workspaceId: string;
let directory: ReturnType<typeof fakeDirectory>;
beforeEach(async () => {
  workspaceId = (await openWorkspace(table)).context.workspaceId;
  directory = fakeDirectory();
});

const context = () => ({ ...anOperator(table, startMs, 'member.invite'), workspaceId, directory });
const invite = (email: string, role: 'owner' | 'member' = 'member') =>
  inviteMember(context(), { email, role });
const joins = (email: string, personId: string) => join(table, { workspaceId, email, personId });
const owner = (name: string) =>
  storeMember(context(), { email: `${name}@example.com`, role: 'owner', personId: `person-${name}` });
const counts = () => findMemberCounts(table, workspaceId);
const membershipOf = (personId: string) => getItem(table, membershipKey(personId, workspaceId));
const invitationOf = (email: string) => getItem(table, invitationKey(addressDigest(email), workspaceId));

describe('an invitation', () => {
  it('has the address in lower case and without spaces, and is found by the digest of that', async () => {
    const { id } = await invite('  Ada@Example.COM ', 'owner');
    expect(await listMembers(context())).toEqual([
      {
        id,
        email: 'ada@example.com',
        name: null,
        role: 'owner',
        status: 'invited',
        personId: null,
        isYou: false,
        createdAt: '2026-03-01T12:00:00.000Z',
        joinedAt: null,
        endsAt: '2026-03-15T12:00:00.000Z',
      },
    ]);
    expect(await invitationOf('ada@example.com')).toMatchObject({ workspaceId, memberId: id });
    expect(await counts()).toEqual({ owners: 0, members: 0, invitations: 1 });
  });

  it('ends after 14 days; then the address is invited again, and the former invitation is gone', async () => {
    const { id } = await invite('ada@example.com', 'owner');
    const later = { ...context(), now: startMs + 14 * dayMs, directory };
    expect(await listMembers({ ...later, now: later.now - 1 })).toMatchObject([{ status: 'invited' }]);
    expect(await listMembers(later)).toMatchObject([{ id, status: 'ended' }]);
    const again = await inviteMember(later, { email: 'ada@example.com', role: 'member' });
    expect(await listMembers(later)).toMatchObject([{ id: again.id, role: 'member', status: 'invited' }]);
    expect(await invitationOf('ada@example.com')).toMatchObject({ memberId: again.id });
  });

  it('that has ended is replaced once, if two owners invite at the same time', async () => {
    await invite('ada@example.com');
    const later = { ...context(), now: startMs + 14 * dayMs, directory };
    const input = { email: 'ada@example.com', role: 'member' } as const;
    const both = await Promise.allSettled([inviteMember(later, input), inviteMember(later, input)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listMembers(later)).toHaveLength(1);
  });

  it('is admitted by the directory before it is stored, and not stored if that fails', async () => {
    await invite('Ada@example.com');
    expect(directory.admitted).toEqual(['ada@example.com']);
    const admit = async () => {
      throw new Error('the directory is down');
    };
    const input = { email: 'bob@example.com', role: 'member' } as const;
    const invited = inviteMember({ ...context(), directory: { admit } }, input);
    await expect(invited).rejects.toMatchObject({
      code: 'unavailable',
      cause: new Error('the directory is down'),
    });
    await expect(invited).rejects.not.toThrow('is down');
    expect(await listMembers(context())).toHaveLength(1);
    expect(await invitationOf('bob@example.com')).toBeUndefined();
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a da@example.com',
    `${'a'.repeat(250)}@b.co`,
    '\u212A@example.com',
    'a@example.\u212Aom',
  ])('of %j is refused, and names the field', async (email) => {
    await expect(invite(email)).rejects.toMatchObject({ code: 'field_format', param: 'email' });
    expect(directory.admitted).toEqual([]);
  });

  it.each([
    ['is invited', async () => undefined],
    ['has joined', () => joins('ada@example.com', 'person-ada')],
  ])('of an address that %s is refused, in any case of its letters', async (_what, prepare) => {
    await invite('ada@example.com');
    await prepare();
    await expect(invite('ADA@example.com', 'owner')).rejects.toMatchObject({ code: 'member_exists' });
    expect(directory.admitted).toHaveLength(1);
    expect(await listMembers(context())).toMatchObject([{ role: 'member' }]);
  });

  it('of an address in another workspace is allowed', async () => {
    const email = `${workspaceId}@example.com`;
    await invite(email);
    workspaceId = (await openWorkspace(table)).context.workspaceId;
    await invite(email);
    expect(await queryAll(table, { partition: invitedPartition(addressDigest(email)) })).toHaveLength(2);
  });

  it('beyond 200 members and invitations is refused, also if many come at once', async () => {
    for (let index = 0; index < 198; index += 1) {
      const id = newId(startMs);
      const stored = { id, workspaceId, email: `${index}@example.com`, role: 'member', createdAt: 'x' };
      await putItem(table, { ...memberKey(workspaceId, id), kind: 'member', ...stored }, unconditionally);
    }
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) => invite(`${name}@example.org`)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(invite('e@example.org')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('at most 200'),
    });
    expect(directory.admitted).not.toContain('e@example.org');
  });

  it('of one address that is sent several times at once is stored once', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => invite('ada@example.com')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'member_exists' });
    expect(await listMembers(context())).toHaveLength(1);
  });

  it('is refused in a workspace that is to be deleted, and in one that does not exist', async () => {
    await updateItem(table, workspaceKey(workspaceId), {
      set: { deleteAfter: '2026-04-01T00:00:00.000Z' },
      if: unconditionally,
    });
    await expect(invite('ada@example.com')).rejects.toMatchObject({ code: 'conflict' });
    workspaceId = newId(startMs);
    await expect(invite('ada@example.com')).rejects.toMatchObject({ code: 'not_found' });
    expect(directory.admitted).toEqual([]);
  });

  it('can be given another role, which the person then has; no number changes before that', async () => {
    const { id } = await invite('ada@example.com', 'member');
    await changeRole(context(), { memberId: id, role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 0, members: 0 });
    await joins('ada@example.com', 'person-ada');
    expect(await membershipOf('person-ada')).toMatchObject({ role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
  });

  it('can be withdrawn: then nobody joins by it, and the address can be invited again', async () => {
    const { id } = await invite('ada@example.com', 'owner');
    await removeMember(context(), id);
    expect(await listMembers(context())).toEqual([]);
    expect(await joins('ada@example.com', 'person-ada')).toBeUndefined();
    expect(await counts()).toMatchObject({ owners: 0, members: 0 });
    await invite('ada@example.com');
  });
});

describe('a member', () => {
  it('is shown with name and person, and as you to that person', async () => {
    const { id } = await owner('ada');
    const actor = aPerson({ id: 'person-ada' });
    expect(await listMembers({ ...context(), actor })).toMatchObject([
      {
        id,
        status: 'active',
        name: 'Ada',
        personId: 'person-ada',
        isYou: true,
        joinedAt: expect.any(String),
      },
    ]);
    expect(await listMembers(context())).toMatchObject([{ isYou: false }]);
  });

  it('has a new role from the next request on', async () => {
    await owner('ada');
    const { id } = await owner('bob');
    expect(await changeRole(context(), { memberId: id, role: 'member' })).toMatchObject({
      id,
      role: 'member',
    });
    expect(await membershipOf('person-bob')).toMatchObject({ role: 'member' });
    expect(await counts()).toMatchObject({ owners: 1, members: 1 });
    await changeRole(context(), { memberId: id, role: 'owner' });
    expect(await membershipOf('person-bob')).toMatchObject({ role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 2, members: 0 });
  });

  it('that has the role already is left as it is, without an entry in the audit log', async () => {
    const { id } = await owner('ada');
    const before = await auditLogOf(table, workspaceId);
    expect(await changeRole(context(), { memberId: id, role: 'owner' })).toMatchObject({ role: 'owner' });
    expect(await auditLogOf(table, workspaceId)).toEqual(before);
  });

  it('who is removed has no access any more', async () => {
    await owner('ada');
    const { id } = await owner('bob');
    await removeMember(context(), id);
    expect(await membershipOf('person-bob')).toBeUndefined();
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
    expect(await listMembers(context())).toMatchObject([{ email: 'ada@example.com' }]);
  });

  it('may leave as an owner if another owner remains', async () => {
    const { id } = await owner('ada');
    await owner('bob');
    await removeMember({ ...context(), actor: aPerson({ id: 'person-ada' }) }, id);
    expect(await counts()).toMatchObject({ owners: 1 });
  });

  it('of another workspace, or an unknown one, is not found', async () => {
    const { id } = await invite('ada@example.com');
    workspaceId = (await openWorkspace(table)).context.workspaceId;
    for (const memberId of [id, newId(startMs)]) {
      await expect(removeMember(context(), memberId)).rejects.toMatchObject({ code: 'not_found' });
      await expect(changeRole(context(), { memberId, role: 'owner' })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});

describe('somebody who joins between the reading and the writing of a change', () => {
  /** A table that lets the person join before its first transaction. */
  function joiningMeanwhile(): Table {
    let hasJoined = false;
    const send = async (command: never) => {
      if (!hasJoined && (command as object) instanceof TransactWriteCommand) {
        hasJoined = true;
        await joins('ada@example.com', 'person-ada');
      }
      return table.client.send(command);
    };
    return { ...table, client: { send } as unknown as DynamoDBDocumentClient };
  }

  it('is removed as a member', async () => {
    const { id } = await invite('ada@example.com');
    await removeMember({ ...context(), table: joiningMeanwhile() }, id);
    expect(await listMembers(context())).toEqual([]);
    expect(await membershipOf('person-ada')).toBeUndefined();
    expect(await counts()).toMatchObject({ owners: 0, members: 0 });
  });

  it('gets the new role as a member', async () => {
    const { id } = await invite('ada@example.com');
    await changeRole({ ...context(), table: joiningMeanwhile() }, { memberId: id, role: 'owner' });
    expect(await membershipOf('person-ada')).toMatchObject({ role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
  });

  it('is not removed if that would take the last owner', async () => {
    const { id } = await invite('ada@example.com', 'owner');
    const removal = removeMember({ ...context(), table: joiningMeanwhile() }, id);
    await expect(removal).rejects.toMatchObject({ code: 'last_owner' });
    expect(await membershipOf('person-ada')).toMatchObject({ role: 'owner' });
  });
});

describe('the last owner who has joined', () => {
  let id: string;
  beforeEach(async () => {
    id = (await owner('ada')).id;
    await storeMember(context(), { email: 'bob@example.com', role: 'member', personId: 'person-bob' });
    await invite('eve@example.com', 'owner');
  });

  it.each([
    ['cannot leave', () => removeMember(context(), id)],
    ['cannot become a member', () => changeRole(context(), { memberId: id, role: 'member' })],
  ])('%s, although another owner is invited', async (_what, change) => {
    await expect(change()).rejects.toMatchObject({ code: 'last_owner' });
    expect(await membershipOf('person-ada')).toMatchObject({ role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 1, members: 1 });
  });

  it('may leave once the invited owner has joined', async () => {
    await joins('eve@example.com', 'person-eve');
    await removeMember(context(), id);
    expect(await counts()).toMatchObject({ owners: 1, members: 1 });
  });
});

describe('the audit log', () => {
  it('names who invited, changed and removed whom, once each, if responses are lost and writes repeated', async () => {
    await owner('ada');
    const actor = aPerson();
    const by = { ...context(), actor, table: sendingTwice(table) };
    const { id } = await inviteMember(by, { email: 'bob@example.com', role: 'member' });
    await changeRole({ ...by, verb: 'member.edit' }, { memberId: id, role: 'owner' });
    await removeMember({ ...by, verb: 'member.remove' }, id);
    const entries = (await auditLogOf(table, workspaceId)).filter(({ subjectId }) => subjectId === id);
    expect(entries).toHaveLength(3);
    const common = { actor: { kind: 'person', id: actor.id }, subjectId: id, outcome: 'done' };
    expect(entries.toSorted((one, other) => (one.verb < other.verb ? -1 : 1))).toMatchObject([
      { ...common, verb: 'member.edit' },
      { ...common, verb: 'member.invite' },
      { ...common, verb: 'member.remove' },
    ]);
  });
});
