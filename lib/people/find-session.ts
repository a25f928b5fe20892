import { toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, anyOf, atMost } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { membershipKey, sessionKey, sessionUseKey, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Workspace } from '../workspaces/schemas.ts';
import { Membership, Session, sessionMs, useRecordedEveryMs } from './schemas.ts';
import type { SessionValue } from './session-value.ts';
import { endIfUnused, lastUseOf } from './sessions.ts';

/** The session of a request, with the person's membership in the workspace that the request names. */
export interface FoundSession {
  readonly session: Session;
  readonly digest: string;
  /** Epoch milliseconds; at most {@link useRecordedEveryMs} older than the last use. */
  readonly usedAtMs: number;
  /** Absent if the request names no workspace, there is no such workspace, or the person is not a member. */
  readonly place?: { readonly workspace: Workspace; readonly membership: Membership };
}

/**
 * Reads the caller's session and membership in one strongly consistent batch, so that signing out, removal or another role takes
 * effect with the next request.
 *
 * @param workspaceId a UUID; absent if the request needs no workspace
 * @param now epoch milliseconds
 * @returns `undefined` if there is no such session, it belongs to another person than its cookie says, or it has ended
 */
export async function findSession(
  table: Table,
  { personId, digest }: SessionValue,
  workspaceId: string | undefined,
  now: number,
): Promise<FoundSession | undefined> {
  const ofWorkspace =
    workspaceId === undefined ? [] : [membershipKey(personId, workspaceId), workspaceKey(workspaceId)];
  const found = await batchGet(table, [sessionKey(digest), sessionUseKey(digest), ...ofWorkspace]);
  const item = found.get(sessionKey(digest));
  if (!item) return undefined;
  const session = Session.parse(item);
  const usedAtMs = lastUseOf(session, found.get(sessionUseKey(digest)));
  if (session.personId !== personId || endIfUnused(session, usedAtMs) <= now) return undefined;
  const [membership, workspace] = ofWorkspace.map((key) => found.get(key));
  const place = membership &&
    workspace && { membership: Membership.parse(membership), workspace: Workspace.parse(workspace) };
  return { session, digest, usedAtMs, ...(place && { place }) };
}

/**
 * Records that a session is used, at most every ten minutes. Writes a separate item, so it cannot bring back a session that has
 * ended meanwhile.
 *
 * @param now epoch milliseconds
 * @returns a promise that resolves when it is recorded; `undefined` if the last record is recent enough
 */
export function recordSessionUse(
  table: Table,
  { session, digest, usedAtMs }: FoundSession,
  now: number,
): Promise<void> | undefined {
  if (now - usedAtMs < useRecordedEveryMs) return undefined;
  return writeUse(table, digest, session, now);
}

async function writeUse(table: Table, digest: string, { signedInAt }: Session, now: number): Promise<void> {
  const expiresAtSeconds = Math.ceil((Date.parse(signedInAt) + sessionMs) / 1_000);
  await updateItem(table, sessionUseKey(digest), {
    set: { usedAt: toTimestamp(now), kind: 'sessionUse', expiresAtSeconds },
    if: { usedAt: anyOf(absent, atMost(toTimestamp(now - useRecordedEveryMs))) },
  });
}
