import { toTimestamp } from '../kernel/clock.ts';
import { newId, randomToken } from '../kernel/ids.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, unconditionally } from '../table/condition.ts';
import { getItem, type Item } from '../table/items.ts';
import {
  type ItemKind,
  listedSessionKey,
  listedSessionPrefix,
  personPartition,
  sessionGrantKey,
  sessionKey,
  sessionUseKey,
} from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, transact } from '../table/transaction.ts';
import {
  checkEveryMs,
  idleMs,
  ListedSession,
  Session,
  type SessionGrant,
  SessionUse,
  sessionMs,
} from './schemas.ts';
import { sessionValueOf, tokenDigest, tokenLength } from './session-value.ts';
import type { SessionView } from './views.ts';

/** The person of a new session, and its browser. */
export interface NewSession
  extends Pick<Session, 'personId' | 'email' | 'isEmailVerified' | 'name' | 'provedAt'> {
  /** The browser's `User-Agent`; empty if it sent none. */
  readonly userAgent: string;
  /** The sealed refresh token; absent if the issuer gave none. The session is then never checked. */
  readonly grant?: string | undefined;
}

const kind = (name: ItemKind) => ({ kind: name });

/** The number of characters of a `User-Agent` that are kept: enough to distinguish browsers. */
const browserCharacters = 200;

/**
 * Begins a session: the session, its refresh token, and its entry in the person's list, all or nothing.
 *
 * @param now epoch milliseconds
 * @returns the session, and the value of its cookie, which is stored nowhere
 */
export async function beginSession(
  table: Table,
  { userAgent, grant: ciphertext, ...person }: NewSession,
  now: number,
): Promise<{ readonly session: Session; readonly cookieValue: string }> {
  const token = randomToken(tokenLength);
  const digest = tokenDigest(token);
  const session: Session = {
    id: newId(now),
    ...person,
    signedInAt: toTimestamp(now),
    browser: userAgent.slice(0, browserCharacters).toWellFormed(),
    ...(ciphertext !== undefined && { checkDueAt: toTimestamp(now + checkEveryMs) }),
  };
  const { id, personId, signedInAt, browser } = session;
  const listed: ListedSession = { id, digest, signedInAt, browser };
  const expiresAtSeconds = Math.ceil(endOf(session) / 1_000);
  const { committed } = await transact(table, [
    putPart(
      table,
      { ...sessionKey(digest), ...kind('session'), ...session, expiresAtSeconds },
      { pk: absent },
    ),
    putPart(
      table,
      { ...listedSessionKey(personId, id), ...kind('listedSession'), ...listed, expiresAtSeconds },
      { pk: absent },
    ),
    ...(ciphertext === undefined
      ? []
      : [grantPart(table, digest, { ciphertext, version: 1 }, expiresAtSeconds)]),
  ]);
  if (!committed) throw new Error(`session ${id} already exists`);
  return { session, cookieValue: sessionValueOf(personId, token) };
}

const grantPart = (table: Table, digest: string, grant: SessionGrant, expiresAtSeconds: number) =>
  putPart(
    table,
    { ...sessionGrantKey(digest), ...kind('sessionGrant'), ...grant, expiresAtSeconds },
    { pk: absent },
  );

/** Returns the end of a session, whatever its use. Epoch milliseconds. */
const endOf = ({ signedInAt }: Pick<Session, 'signedInAt'>): number => Date.parse(signedInAt) + sessionMs;

/** Returns the last use of a session, as far as it was recorded. Epoch milliseconds. */
export const lastUseOf = (session: Pick<Session, 'signedInAt'>, use: Item | undefined): number =>
  Math.max(Date.parse(session.signedInAt), use ? Date.parse(SessionUse.parse(use).usedAt) : 0);

/**
 * Returns the end of a session if it is not used again. Epoch milliseconds. From that moment on it is refused; the time to live
 * of its items only cleans up.
 */
export const endIfUnused = (session: Pick<Session, 'signedInAt'>, usedAtMs: number): number =>
  Math.min(endOf(session), usedAtMs + idleMs);

/** Ends a session: all of its items or none. Ending it twice changes nothing. */
export async function endSession(
  table: Table,
  session: { readonly personId: string; readonly id: string; readonly digest: string },
): Promise<void> {
  await transact(table, [
    deletePart(table, sessionKey(session.digest), unconditionally),
    deletePart(table, sessionGrantKey(session.digest), unconditionally),
    deletePart(table, listedSessionKey(session.personId, session.id), unconditionally),
  ]);
}

/** Ends a session of a person, if the person has it. The id of another person's session does nothing. */
export async function endSessionById(table: Table, personId: string, id: string): Promise<void> {
  const item = await getItem(table, listedSessionKey(personId, id));
  if (item) await endSession(table, { ...ListedSession.parse(item), personId });
}

/** Ends the session with this digest, if there still is one. */
export async function endSessionByDigest(table: Table, digest: string): Promise<void> {
  const item = await getItem(table, sessionKey(digest));
  if (item) await endSession(table, { ...Session.parse(item), digest });
}

/** Ends all sessions of a person except one. */
export async function endOtherSessions(table: Table, personId: string, exceptId: string): Promise<void> {
  const others = (await listed(table, personId)).filter(({ id }) => id !== exceptId);
  await Promise.all(others.map((session) => endSession(table, { ...session, personId })));
}

/**
 * Returns the person's sessions that have not ended, newest first.
 *
 * @param presentId the id of the session of this request
 * @param now epoch milliseconds
 */
export async function listSessions(
  table: Table,
  personId: string,
  presentId: string,
  now: number,
): Promise<SessionView[]> {
  const sessions = await listed(table, personId);
  const uses = await batchGet(
    table,
    sessions.map(({ digest }) => sessionUseKey(digest)),
  );
  const seen = sessions.map((session) => ({
    ...session,
    usedAtMs: lastUseOf(session, uses.get(sessionUseKey(session.digest))),
  }));
  return seen
    .filter((session) => endIfUnused(session, session.usedAtMs) > now)
    .map(({ id, browser, signedInAt, usedAtMs }) => ({
      id,
      browser,
      signedInAt,
      usedAt: toTimestamp(usedAtMs),
      isThis: id === presentId,
    }));
}

/** Returns the listed sessions, newest first: ids begin with the time. */
async function listed(table: Table, personId: string): Promise<ListedSession[]> {
  const items = await queryAll(table, {
    partition: personPartition(personId),
    sort: { beginsWith: listedSessionPrefix },
    descending: true,
  });
  return readableItems(table, items, (item) => ListedSession.parse(item));
}
