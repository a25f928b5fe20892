import type * as z from 'zod';
import { AuditEntry } from '../../../../lib/audit/schemas.ts';
import { KeyView, MemberView, SessionView } from '../../../../lib/people/views.ts';
import { WorkspaceView } from '../../../../lib/workspaces/operations.ts';
import { type FakeApi, ok } from '../../support/fake-api.ts';
import { meOf } from '../../support/me.ts';

/**
 * The service's responses, for tests of the settings. Every builder parses with the service's own schema, so no test shows data
 * that the service would not send.
 */

/** Ids as the service makes them. `id(7)` ends in 7. */
export const id = (number: number) => `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Names that people and programs really send, or could. */
export const hostile = {
  long: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft GmbH',
  rightToLeft: 'محمد عبد الرحمن',
  markup: '<img src=x onerror="alert(1)">',
  emoji: '👩‍👩‍👧‍👦 Familie 🏳️‍🌈',
};

type Member = z.infer<typeof MemberView>;
type Session = z.infer<typeof SessionView>;
type Key = z.infer<typeof KeyView>;
type Entry = z.infer<typeof AuditEntry>;
type Workspace = z.infer<typeof WorkspaceView>;

export function memberOf(number: number, changes: Partial<Member> = {}): Member {
  return MemberView.parse({
    id: id(number),
    email: `member${number}@herald.example`,
    name: `Member ${number}`,
    role: 'member',
    status: 'active',
    personId: `person-${number}`,
    isYou: false,
    createdAt: '2026-01-12T08:00:00.000Z',
    joinedAt: '2026-01-13T15:30:00.000Z',
    endsAt: null,
    ...changes,
  });
}

export const you = memberOf(1, {
  email: 'owner@herald.example',
  name: 'Olga Owner',
  role: 'owner',
  isYou: true,
});
export const max = memberOf(2, { email: 'max@herald.example', name: 'Max Member' });
export const invited = memberOf(3, {
  email: 'new.colleague@herald.example',
  name: null,
  status: 'invited',
  personId: null,
  joinedAt: null,
  endsAt: '2026-01-26T08:00:00.000Z',
});

export const agents = {
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
};

export function sessionOf(number: number, changes: Partial<Session> = {}): Session {
  return SessionView.parse({
    id: id(number),
    browser: agents.firefox,
    signedInAt: '2026-03-02T08:00:00.000Z',
    usedAt: '2026-03-02T09:00:00.000Z',
    isThis: false,
    ...changes,
  });
}

export function keyOf(number: number, changes: Partial<Key> = {}): Key {
  return KeyView.parse({
    id: id(number),
    name: `Key ${number}`,
    lastFour: 'x4Qz',
    permissions: null,
    accountIds: null,
    status: 'active',
    expiresAt: null,
    revokedAt: null,
    previousUntil: null,
    grant: null,
    createdAt: '2026-01-12T08:00:00.000Z',
    createdBy: { kind: 'operator', id: 'ada' },
    lastUsedOn: '2026-03-01',
    ...changes,
  });
}

export function entryOf(number: number, changes: Partial<Entry> = {}): Entry {
  return AuditEntry.parse({
    id: id(number),
    at: '2026-03-02T09:30:00.000Z',
    actor: { kind: 'person', id: 'person-1' },
    verb: 'post.create',
    subjectId: id(500 + number),
    requestId: '7d0c3b2e-5f5e-4a51-9d55-0d9f3e4d7f21',
    outcome: 'done',
    ...changes,
  });
}

export function workspaceOf(changes: Partial<Workspace> = {}): Workspace {
  return WorkspaceView.parse({
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Nordlicht',
    timezone: 'Europe/Berlin',
    createdAt: '2025-11-03T10:15:00.000Z',
    eventFeed: false,
    eventFeedSince: null,
    storage: { usedBytes: 734_003_200, quotaBytes: 10_737_418_240 },
    counts: { accounts: 3, webhooks: 1, keys: 2 },
    incidents: [],
    ...changes,
  });
}

/** A page of the audit log. */
export const auditPage = (entries: readonly Entry[], nextCursor: string | null = null) =>
  ok({ entries, nextCursor });

/** Makes the person who is signed in a member of the first workspace instead of an owner. */
export function beMember(api: FakeApi): void {
  const me = meOf();
  api.on(
    'GET /panel/me',
    ok({ ...me, workspaces: me.workspaces.map((each) => ({ ...each, role: 'member' as const })) }),
  );
}
