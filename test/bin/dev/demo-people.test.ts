import { beforeEach, describe, expect, it } from 'vitest';
import { operatorAct } from '../../../bin/admin/command.ts';
import { addDemoPeople } from '../../../bin/dev/demo-people.ts';
import { createDemo } from '../../../bin/dev/demo-workspaces.ts';
import { noDirectory } from '../../../lib/people/directory.ts';
import { removeMember } from '../../../lib/people/members/change.ts';
import { inviteMember } from '../../../lib/people/members/invite.ts';
import { listMembers } from '../../../lib/people/members/list.ts';
import type { MembersContext } from '../../../lib/people/members/store.ts';
import { createTestTable } from '../../support/table.ts';

const now = Date.parse('2026-11-23T10:00:00Z');

let context: MembersContext;
beforeEach(async () => {
  const table = await createTestTable();
  const { id: workspaceId } = await createDemo(table, now, 'demo');
  context = { table, now, workspaceId, ...operatorAct('member.invite') };
});

const issuer = 'http://127.0.0.1:4999';
const add = () => addDemoPeople(context.table, now, context.workspaceId, issuer);
const members = async () =>
  (await listMembers(context)).map(({ email, role, status }) => `${email} ${role} ${status}`).sort();
const everybody = ['member@herald.example member active', 'owner@herald.example owner active'];

describe('the people of the local run', () => {
  it('are members of a new workspace, without accepting an invitation', async () => {
    await add();
    expect(await members()).toEqual(everybody);
  });

  it('are not added again once they were removed', async () => {
    await add();
    const first = (await listMembers(context)).find(({ role }) => role === 'member');
    await removeMember(context, first?.id ?? '');
    await add();
    expect(await members()).toHaveLength(1);
  });

  it('are all there after a run that was killed in between', async () => {
    const input = { email: 'owner@herald.example', role: 'owner' } as const;
    await inviteMember({ ...context, directory: noDirectory }, input);
    await add();
    expect(await members()).toEqual(everybody);
  });
});
