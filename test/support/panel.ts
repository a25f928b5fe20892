import type { Role } from '../../lib/access/permissions.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import type { Session } from '../../lib/people/schemas.ts';
import { beginSession } from '../../lib/people/sessions.ts';
import { personIdOf } from '../../lib/people/sign-in.ts';
import type { Table } from '../../lib/table/table.ts';
import { originSecret, type RequestParts } from './api.ts';
import { storeMember } from './people.ts';

export const panelHost = 'panel.example.com';
export const panelOrigin = `https://${panelHost}`;

/** Headers that our CloudFront adds to a viewer's request. */
export const edgeHeaders = (address = '203.0.113.7', host = panelHost) => ({
  'x-origin-secret': originSecret,
  'x-viewer-address': address,
  'x-viewer-host': host,
});

/** Headers that browsers add to a request of one of the panel's own pages. */
export const ownPageHeaders = { 'sec-fetch-site': 'same-origin', origin: panelOrigin };

export interface SignedInPerson {
  readonly personId: string;
  readonly session: Session;
  /** Cookie header as a browser sends it. */
  readonly cookie: string;
}

/** Signs a person in, without an issuer. */
export async function signInPerson(
  table: Table,
  {
    personId = personIdOf('https://issuer.example.com', newId(Date.now())),
    now = Date.now(),
    provedAtMs = now,
    email = 'ada@example.com',
    isEmailVerified = true,
  }: {
    personId?: string;
    now?: number;
    provedAtMs?: number;
    email?: string;
    isEmailVerified?: boolean;
  } = {},
): Promise<SignedInPerson> {
  const person = { personId, email, isEmailVerified, name: 'Ada', userAgent: 'Firefox' };
  const { session, cookieValue } = await beginSession(
    table,
    { ...person, provedAt: toTimestamp(provedAtMs) },
    now,
  );
  return { personId, session, cookie: `__Host-session=${cookieValue}` };
}

/** Signs in a person who is a member of the workspace. */
export async function signInMember(
  table: Table,
  workspaceId: string,
  role: Role = 'owner',
): Promise<SignedInPerson> {
  const person = await signInPerson(table);
  await storeMember(table, workspaceId, { personId: person.personId, role });
  return person;
}

/** A request that one of the panel's own pages sends. */
export function fromPanel(
  person: Pick<SignedInPerson, 'cookie'> | undefined,
  workspaceId?: string,
  parts: RequestParts = {},
): RequestParts {
  return {
    ...parts,
    ...(person && { cookies: [person.cookie] }),
    headers: {
      ...edgeHeaders(),
      ...ownPageHeaders,
      ...(workspaceId !== undefined && { 'x-workspace': workspaceId }),
      ...parts.headers,
    },
  };
}
