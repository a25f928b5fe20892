import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../lib/access/permissions.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { addressDigest } from '../../../lib/people/email-address.ts';
import {
  acceptInvitation,
  declineInvitation,
  type InvitedPerson,
  listInvitations,
} from '../../../lib/people/invitations.ts';
import type { Member } from '../../../lib/people/schemas.ts';
import { personIdOf } from '../../../lib/people/sign-in.ts';
import { present } from '../../../lib/table/condition.ts';
import { deleteItem, getItem, updateItem } from '../../../lib/table/items.ts';
import {
  invitationKey,
  type Key,
  memberCountsKey,
  memberKey,
  membershipKey,
  workspaceKey,
} from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { Workspace } from '../../../lib/workspaces/schemas.ts';
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

interface By {
  readonly personId?: string;
  readonly email?: string;
  readonly isEmailVerified?: boolean;
  readonly on?: Table;
  readonly now?: number;
}

const by = ({ on = table, now = startMs, ...changes }: By = {}): InvitedPerson => ({
  table: on,
  now,
  requestId: 'the-answer',
  session: { personId, email, isEmailVerified: true, name: 'Ada', ...changes },
});
const list = (changes?: By) => listInvitations(by(changes));
const accept = ({ id, role }: Pick<Member, 'id' | 'role'>, changes?: By) =>
  acceptInvitation(by(changes), { id, role });

const read = (key: Key) => getItem(table, key);
const memberOf = (member: Member) => read(memberKey(workspaceId, member.id));
const counts = () => read(memberCountsKey(workspaceId));
const invitation = () => read(invitationKey(addressDigest(email), workspaceId));

describe('an invitation', () => {
  it('makes nobody a member while nobody has accepted', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await list();
    expect(await memberOf(member)).not.toHaveProperty('personId');
    expect(await read(membershipKey(personId, workspaceId))).toBeUndefined();
  });

  it('shows the workspace, the role, who invites, and until when', async () => {
    const inviter = await storeMember(table, workspaceId, {
      personId: personIdOf('https://issuer.example.com', `inviter ${people}`),
      email: 'olga@example.com',
      role: 'owner',
    });
    const member = await storeInvited(table, workspaceId, { email, role: 'owner' });
    await updateItem(table, memberKey(workspaceId, member.id), {
      set: { invitedBy: { kind: 'person', id: inviter.member.personId } },
      if: { pk: present },
    });
    const { name } = Workspace.parse(await read(workspaceKey(workspaceId)));
    expect(await list()).toEqual([
      {
        id: member.id,
        workspaceId,
        workspaceName: name,
        role: 'owner',
        invitedBy: { kind: 'person', name: null, email: 'olga@example.com' },
        createdAt: toTimestamp(startMs),
        endsAt: toTimestamp(startMs + 14 * dayMs),
      },
    ]);
    await deleteItem(table, membershipKey(inviter.member.personId ?? '', workspaceId), {});
    expect(await list()).toMatchObject([{ invitedBy: { kind: 'person', name: null, email: null } }]);
  });

  it('is shown beside those of other workspaces, oldest first', async () => {
    const { workspace: other } = await openWorkspace(table);
    const later = await storeInvited(table, workspaceId, { email, at: startMs + 1 });
    const earlier = await storeInvited(table, other.id, { email });
    expect((await list()).map(({ id }) => id)).toEqual([earlier.id, later.id]);
  });

  it.each<[string, By]>([
    ['with another address', { email: 'somebody-else@example.com' }],
    ['with an address that the issuer has not verified', { isEmailVerified: false }],
    ['in a session of an earlier release', { isEmailVerified: undefined as never }],
    ['after 14 days', { now: startMs + 14 * dayMs }],
    ['with no address', { email: '' }],
    ['with a text as address', { email: 'not an address' }],
    ['with an overlong address', { email: `${'a'.repeat(300)}@example.com` }],
  ])('is neither shown nor accepted nor declined %s', async (_how, changes) => {
    const member = await storeInvited(table, workspaceId, { email });
    expect(await list(changes)).toEqual([]);
    await expect(accept(member, changes)).rejects.toMatchObject({ code: 'not_found' });
    await expect(declineInvitation(by(changes), member.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await memberOf(member)).toBeDefined();
    expect(await memberOf(member)).not.toHaveProperty('personId');
  });

  // `'K'.toLowerCase()` is `k`: another address, which another person can have.
  it('is not shown for an address that is the same only in lower case, outside of ASCII', async () => {
    await storeInvited(table, workspaceId, { email: `k${email}` });
    expect(await list({ email: `\u212A${email}` })).toEqual([]);
  });

  it.each([
    ['in another case', (of: string) => of.toUpperCase()],
    ['with spaces around it', (of: string) => ` ${of} `],
  ])('is recognized if the issuer writes the address %s', async (_how, written) => {
    const member = await storeInvited(table, workspaceId, { email });
    await accept(member, { email: written(email) });
    expect(await memberOf(member)).toMatchObject({ personId });
  });

  it('to a workspace that is being erased does not count', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await updateItem(table, workspaceKey(workspaceId), {
      set: { erasingSince: toTimestamp(startMs) },
      if: { pk: present },
    });
    expect(await list()).toEqual([]);
    await expect(accept(member)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('to a workspace that the person belongs to by another address changes nothing', async () => {
    await storeMember(table, workspaceId, { personId, role: 'owner', email: 'first@example.com' });
    const second = await storeInvited(table, workspaceId, { email });
    expect(await list()).toEqual([]);
    await expect(accept(second)).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(membershipKey(personId, workspaceId))).toMatchObject({ role: 'owner' });
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
  });
});

describe('a person who accepts', () => {
  it.each<[Role, object]>([
    ['owner', { owners: 1, members: 0 }],
    ['member', { owners: 0, members: 1 }],
  ])('becomes what the invitation says: %s', async (role, expected) => {
    const member = await storeInvited(table, workspaceId, { email, role });
    await accept(member);
    expect(await memberOf(member)).toMatchObject({ personId, name: 'Ada', joinedAt: toTimestamp(startMs) });
    expect(await read(membershipKey(personId, workspaceId))).toMatchObject({
      personId,
      workspaceId,
      memberId: member.id,
      role,
    });
    expect(await counts()).toMatchObject(expected);
    expect(await invitation()).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  it('joins only the workspace of this invitation', async () => {
    const { workspace: other } = await openWorkspace(table);
    const member = await storeInvited(table, workspaceId, { email });
    await storeInvited(table, other.id, { email, role: 'owner' });
    await accept(member);
    expect(await read(membershipKey(personId, other.id))).toBeUndefined();
  });

  it.each([
    ['repeated', (member: Member) => accept(member).then(() => accept(member))],
    ['concurrent', (member: Member) => Promise.all([accept(member), accept(member), accept(member)])],
    ['sent twice', (member: Member) => accept(member, { on: sendingTwice(table) })],
  ])('joins once, with one entry in the audit log, if requests are %s', async (_how, run) => {
    const member = await storeInvited(table, workspaceId, { email, role: 'owner' });
    await run(member).catch(() => undefined);
    expect(await counts()).toMatchObject({ owners: 1, members: 0 });
    const entries = (await auditLogOf(table, workspaceId)).filter(({ actor }) => actor.kind === 'person');
    expect(entries).toMatchObject([
      {
        actor: { kind: 'person', id: personId },
        verb: 'member.join',
        subjectId: member.id,
        requestId: 'the-answer',
        outcome: 'done',
      },
    ]);
  });

  it('is the only one, if two people have the address at once', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    const otherId = personIdOf('https://other.example.com', email);
    await Promise.allSettled([accept(member), accept(member, { personId: otherId })]);
    const bound = String((await memberOf(member))?.['personId']);
    const both = await Promise.all([personId, otherId].map((id) => read(membershipKey(id, workspaceId))));
    expect(both.map((item) => item?.['personId']).filter(Boolean)).toEqual([bound]);
    expect(await counts()).toMatchObject({ owners: 0, members: 1 });
  });

  it('does not get a role that the page did not show', async () => {
    const member = await storeInvited(table, workspaceId, { email, role: 'owner' });
    const seen = { id: member.id, role: 'member' } as const;
    await expect(accept(seen)).rejects.toMatchObject({ code: 'changed_concurrently' });
    expect(await memberOf(member)).not.toHaveProperty('personId');
  });

  it('does not get a role that comes while the answer is under way', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    let changes = 0;
    const { counted } = countRequests({ table } as Context, async (name) => {
      if (name !== 'TransactWriteCommand' || changes++ > 0) return;
      const change = { set: { role: 'owner' }, if: { pk: present } };
      await updateItem(table, memberKey(workspaceId, member.id), change);
    });
    const answer = accept(member, { on: counted.table });
    await expect(answer).rejects.toMatchObject({ code: 'changed_concurrently' });
    expect(await read(membershipKey(personId, workspaceId))).toBeUndefined();
  });
});

describe('a person who declines', () => {
  it('is no longer invited, and is in the audit log', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await declineInvitation(by(), member.id);
    expect([await memberOf(member), await invitation()]).toEqual([undefined, undefined]);
    expect((await auditLogOf(table, workspaceId)).at(-1)).toMatchObject({
      actor: { kind: 'person', id: personId },
      verb: 'member.decline',
      subjectId: member.id,
    });
    await expect(accept(member)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('cannot decline for a person who has accepted meanwhile', async () => {
    const member = await storeInvited(table, workspaceId, { email });
    await Promise.allSettled([accept(member), declineInvitation(by(), member.id)]);
    const joined = (await memberOf(member))?.['personId'];
    const membership = await read(membershipKey(personId, workspaceId));
    expect(membership?.['personId']).toBe(joined);
  });
});
