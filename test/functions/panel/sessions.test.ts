import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { SignInFailure } from '../../../lib/people/issuer.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { workspaceKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, linkBaseUrl, openApi, publicBaseUrl } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import type { FakeIssuer } from '../../support/fake-issuer.ts';
import { fromPanel, panelOrigin, type SignedInPerson, signInPerson } from '../../support/panel.ts';
import { storeMember } from '../../support/people.ts';

let table: Table;
let call: Call;
let issuer: FakeIssuer;
beforeAll(async () => {
  ({ table, call, issuer } = await openApi());
});

/** The same person, in another browser. */
const again = ({ personId }: SignedInPerson) => signInPerson(table, { personId });

const statusOf = async (person: SignedInPerson) => (await call('getMe', fromPanel(person))).status;

describe('GET /panel/me', () => {
  it('says who is signed in, until when, and where the API is', async () => {
    const person = await signInPerson(table);
    const { status, body, headers } = await call('getMe', fromPanel(person));
    const { id, signedInAt } = person.session;
    expect([status, body]).toEqual([
      200,
      {
        person: { id: person.personId, email: 'ada@example.com', name: 'Ada' },
        session: { id, signedInAt, endsAt: expect.any(String) },
        workspaces: [],
        apiUrl: publicBaseUrl,
        linkUrl: linkBaseUrl,
      },
    ]);
    expect(headers['cache-control']).toBe('no-store');
    const { endsAt } = body['session'] as { endsAt: string };
    expect((Date.parse(endsAt) - Date.now()) / hourMs).toBeCloseTo(12, 1);
  });

  it('lists the person’s workspaces by name, with the role, and none that is being erased', async () => {
    const person = await signInPerson(table);
    const open = async (name: string, role: 'owner' | 'member', set: Record<string, unknown> = {}) => {
      const { workspace } = await openWorkspace(table, { name });
      await storeMember(table, workspace.id, { personId: person.personId, role });
      await updateItem(table, workspaceKey(workspace.id), {
        set: { name, ...set },
        if: { pk: present },
      });
      return workspace.id;
    };
    const at = toTimestamp(Date.now());
    const bakery = await open('Bakery', 'member', { timezone: 'Europe/Berlin' });
    const atelier = await open('Atelier', 'owner', { suspendedAt: at });
    await open('Gone', 'owner', { suspendedAt: at, erasingSince: at });
    const { body } = await call('getMe', fromPanel(person));
    expect(body['workspaces']).toEqual([
      { id: atelier, name: 'Atelier', timezone: 'UTC', role: 'owner', isSuspended: true },
      { id: bakery, name: 'Bakery', timezone: 'Europe/Berlin', role: 'member', isSuspended: false },
    ]);
  });
});

describe('POST /panel/sign-out', () => {
  it('ends the session, removes its cookie, and says where to sign out of the issuer', async () => {
    const [person, other] = [await signInPerson(table), await signInPerson(table)];
    const answer = await call('signOut', fromPanel(person));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        signOutUrl: `https://issuer.example.com/logout?to=${encodeURIComponent(`${panelOrigin}/signed-out`)}`,
      },
    ]);
    expect(answer.cookies).toEqual(['__Host-session=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0']);
    expect([await statusOf(person), await statusOf(other)]).toEqual([401, 200]);
  });

  it('ends the session even if the issuer cannot be reached', async () => {
    const person = await signInPerson(table);
    issuer.failure = new SignInFailure('sign_in_unavailable', 'a test');
    const answer = await call('signOut', fromPanel(person));
    delete issuer.failure;
    expect([answer.status, answer.body]).toEqual([200, { signOutUrl: null }]);
    expect(await statusOf(person)).toBe(401);
  });
});

describe('the sessions of a person', () => {
  it('are listed, newest first, without anything to sign in with', async () => {
    const before = await signInPerson(table, { now: Date.now() - hourMs });
    const present = await again(before);
    const { body, text } = await call('listSessions', fromPanel(present));
    expect(body['sessions']).toMatchObject([
      { id: present.session.id, isThis: true },
      { id: before.session.id, isThis: false },
    ]);
    for (const { cookie } of [before, present]) expect(text).not.toContain(cookie.split('.')[1]);
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });

  it('are ended one by one, only by the same person, and as often as one likes', async () => {
    const present = await signInPerson(table);
    const lost = await again(present);
    const stranger = await signInPerson(table);
    const end = (by: SignedInPerson, id: string) =>
      call('endSession', fromPanel(by, undefined, { path: { id } }));
    expect((await end(stranger, lost.session.id)).status).toBe(204);
    expect(await statusOf(lost)).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      expect((await end(present, lost.session.id)).status).toBe(204);
      expect(await statusOf(lost)).toBe(401);
    }
    expect((await end(present, newId(Date.now()))).status).toBe(204);
    expect(await statusOf(present)).toBe(200);
  });

  it('are ended all but the one that asks', async () => {
    const present = await signInPerson(table);
    const others = [await again(present), await again(present)];
    expect((await call('endOtherSessions', fromPanel(present))).status).toBe(204);
    expect(await Promise.all([present, ...others].map(statusOf))).toEqual([200, 401, 401]);
  });
});
