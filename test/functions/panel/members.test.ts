import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { MemberView } from '../../../lib/people/views.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi, type RequestParts } from '../../support/api.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { openWorkspace } from '../../support/builders.ts';
import { nextMillisecond } from '../../support/next-millisecond.ts';
import { fromPanel, type SignedInPerson, signInMember, signInPerson } from '../../support/panel.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspaceId: string;
let apiKey: string;
let owner: SignedInPerson;
beforeEach(async () => {
  ({
    apiKey,
    context: { workspaceId },
  } = await openWorkspace(table));
  owner = await signInMember(table, workspaceId);
});

const by = (person: SignedInPerson, parts: RequestParts = {}) => fromPanel(person, workspaceId, parts);
const list = (person = owner) => call('listMembers', by(person));
const invite = (body: object, person = owner) => call('inviteMember', by(person, { body }));
const edit = (id: string, role: string, person = owner) =>
  call('updateMember', by(person, { path: { id }, body: { role } }));
const remove = (id: string, person = owner) => call('removeMember', by(person, { path: { id } }));
const memberIn = ({ body }: Answer) => body['member'] as MemberView;
const membersIn = ({ body }: Answer) => body['members'] as MemberView[];
const readWorkspace = (person: SignedInPerson) => call('getWorkspace', by(person));
const outcome = ({ status, body }: Answer) => [status, body['code']];

/** Somebody whom the owner invites, and who signs in and accepts. */
async function joined(role: string): Promise<{ member: MemberView; person: SignedInPerson }> {
  const email = `bob-${newId(Date.now())}@example.com`;
  const answer = await invite({ email, role });
  await nextMillisecond();
  const person = await signInPerson(table, { email });
  const { id } = memberIn(answer);
  const accepted = await call(
    'acceptInvitation',
    fromPanel(person, undefined, { path: { id }, body: { role } }),
  );
  expect(accepted.status).toBe(204);
  await nextMillisecond();
  return { member: memberIn(answer), person };
}

describe('the members of a workspace', () => {
  it('are listed to every member, and show who is you', async () => {
    const { member, person } = await joined('member');
    for (const [each, you] of [
      [owner, owner.personId],
      [person, person.personId],
    ] as const) {
      const answer = await list(each);
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(membersIn(answer).filter(({ isYou }) => isYou)).toMatchObject([{ personId: you }]);
      expect(membersIn(answer).map(({ id }) => id)).toContain(member.id);
    }
  });

  it('are invited by an owner, in any case and with spaces, and join by accepting', async () => {
    const answer = await invite({ email: ' Bob@Example.COM ', role: 'member' });
    expect(answer).toMatchObject({
      status: 201,
      body: { member: { email: 'bob@example.com', role: 'member', status: 'invited' }, warnings: [] },
    });
    expect(outcome(await invite({ email: 'bob@example.com', role: 'owner' }))).toEqual([
      409,
      'member_exists',
    ]);
    const { person } = await joined('member');
    expect((await readWorkspace(person)).status).toBe(200);
  });

  it('have another role, and no access, from the next request on; their session stays', async () => {
    const { member, person } = await joined('member');
    const isOwner = async () => (await call('listKeys', by(person))).status === 200;
    expect(await isOwner()).toBe(false);
    expect(await edit(member.id, 'owner')).toMatchObject({
      status: 200,
      body: { member: { role: 'owner' } },
    });
    expect(await isOwner()).toBe(true);
    expect((await remove(member.id)).status).toBe(204);
    expect(outcome(await readWorkspace(person))).toEqual([404, 'not_found']);
    expect((await call('getMe', fromPanel(person))).status).toBe(200);
  });

  it('keep the last owner, who may leave once there is another', async () => {
    const [self] = membersIn(await list());
    const id = self?.id ?? '';
    expect(outcome(await remove(id))).toEqual([409, 'last_owner']);
    expect(outcome(await edit(id, 'member'))).toEqual([409, 'last_owner']);
    await joined('owner');
    expect((await remove(id)).status).toBe(204);
    expect(outcome(await list())).toEqual([404, 'not_found']);
  });

  it.each([
    [{ email: 'bob', role: 'member' }, 'email'],
    [{ role: 'member' }, 'email'],
    [{ email: 'bob@example.com', role: 'boss' }, 'role'],
    [{ email: 'bob@example.com' }, 'role'],
    [{ email: 7, role: 'member' }, 'email'],
  ])('are not invited with %j, and the error names the field', async (body, param) => {
    expect(await invite(body)).toMatchObject({ status: 400, body: { param } });
  });

  it('are in the audit log with who invited, changed and removed them, and that they joined', async () => {
    const { member, person } = await joined('member');
    await edit(member.id, 'owner');
    await remove(member.id);
    const entries = (await auditLogOf(table, workspaceId)).filter(({ subjectId }) => subjectId === member.id);
    expect(entries.map(({ verb, outcome: how, actor }) => [verb, how, actor.id])).toEqual([
      ['member.invite', 'done', owner.personId],
      ['member.join', 'done', person.personId],
      ['member.edit', 'done', owner.personId],
      ['member.remove', 'done', owner.personId],
    ]);
  });
});

describe('a member', () => {
  const leave = (person: SignedInPerson) => call('leaveWorkspace', by(person));

  it('leaves, also without a recent sign-in, and is in the audit log', async () => {
    const { member, person } = await joined('member');
    const now = Date.now();
    const stale = await signInPerson(table, { ...person, now, provedAtMs: now - 11 * minuteMs });
    expect((await leave(stale)).status).toBe(204);
    expect(outcome(await readWorkspace(person))).toEqual([404, 'not_found']);
    expect(membersIn(await list()).map(({ id }) => id)).not.toContain(member.id);
    expect((await auditLogOf(table, workspaceId)).at(-1)).toMatchObject({
      verb: 'member.leave',
      subjectId: member.id,
      actor: { kind: 'person', id: person.personId },
    });
  });

  it('who is the last owner stays, until there is another', async () => {
    expect(outcome(await leave(owner))).toEqual([409, 'last_owner']);
    await joined('owner');
    expect((await leave(owner)).status).toBe(204);
    expect(outcome(await list())).toEqual([404, 'not_found']);
  });

  it('cannot leave twice, nor a workspace of others', async () => {
    const { person } = await joined('member');
    const other = (await openWorkspace(table)).context.workspaceId;
    expect(outcome(await call('leaveWorkspace', fromPanel(person, other)))).toEqual([404, 'not_found']);
    expect((await leave(person)).status).toBe(204);
    expect(outcome(await leave(person))).toEqual([404, 'not_found']);
  });
});

describe('the members of a workspace are not changed', () => {
  const changes = (id: string, person: SignedInPerson) => [
    invite({ email: 'eve@example.com', role: 'owner' }, person),
    edit(id, 'owner', person),
    remove(id, person),
  ];

  it('by a member', async () => {
    const { member, person } = await joined('member');
    for (const answer of await Promise.all(changes(member.id, person)))
      expect(outcome(answer)).toEqual([403, 'permission_missing']);
  });

  it('by an owner of another workspace', async () => {
    const { member } = await joined('member');
    const other = (await openWorkspace(table)).context.workspaceId;
    const foreign = await signInMember(table, other);
    for (const answer of await Promise.all(changes(member.id, foreign)))
      expect(outcome(answer)).toEqual([404, 'not_found']);
    // Not by its id in the own workspace either.
    const path = { id: member.id };
    for (const answer of [
      await call('removeMember', fromPanel(foreign, other, { path })),
      await call('updateMember', fromPanel(foreign, other, { path, body: { role: 'owner' } })),
    ])
      expect(outcome(answer)).toEqual([404, 'not_found']);
  });

  it('without a recent sign-in', async () => {
    const { member } = await joined('member');
    const now = Date.now();
    const stale = await signInPerson(table, {
      personId: owner.personId,
      now,
      provedAtMs: now - 11 * minuteMs,
    });
    for (const answer of await Promise.all(changes(member.id, stale)))
      expect(outcome(answer)).toEqual([403, 'sign_in_again']);
    expect((await list(stale)).status).toBe(200);
  });

  it('by an API key', async () => {
    for (const operation of ['listMembers', 'inviteMember', 'updateMember', 'removeMember'])
      expect((await call(operation, { apiKey, path: { id: newId(0) } })).status).toBe(401);
  });
});
