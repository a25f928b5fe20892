import { beforeEach, describe, expect, it } from 'vitest';
import { operatorAct } from '../../../bin/admin/command.ts';
import { inviteDemoPeople } from '../../../bin/dev/demo-people.ts';
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

const invite = () => inviteDemoPeople(context.table, now, context.workspaceId);
const members = async () => (await listMembers(context)).map(({ email, role }) => `${email} ${role}`).sort();
const everybody = ['member@herald.example member', 'owner@herald.example owner'];

describe('the people of the local run', () => {
  it('are invited to a new workspace', async () => {
    await invite();
    expect(await members()).toEqual(everybody);
  });

  it('are not invited again once they were removed', async () => {
    await invite();
    const [first] = await listMembers(context);
    await removeMember(context, first?.id ?? '');
    await invite();
    expect(await members()).toHaveLength(1);
  });

  it('are all there after a run that was killed in between', async () => {
    const input = { email: 'owner@herald.example', role: 'owner' } as const;
    await inviteMember({ ...context, directory: noDirectory }, input);
    await invite();
    expect(await members()).toEqual(everybody);
  });
});
