import { toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { membershipPrefix, personPartition, workspaceKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { Workspace } from '../workspaces/schemas.ts';
import { Membership, type Session } from './schemas.ts';
import { endIfUnused } from './sessions.ts';
import type { MeView } from './views.ts';

/**
 * Returns the signed-in person and their workspaces by name. A workspace that is being erased is left out.
 *
 * @param now epoch milliseconds
 */
export async function readMe(
  table: Table,
  session: Session,
  now: number,
): Promise<Omit<MeView, 'apiUrl' | 'linkUrl'>> {
  const { id, personId, email, name = null, signedInAt } = session;
  return {
    person: { id: personId, email, name },
    session: { id, signedInAt, endsAt: toTimestamp(endIfUnused(session, now)) },
    workspaces: await workspacesOf(table, personId),
  };
}

async function workspacesOf(table: Table, personId: string): Promise<MeView['workspaces']> {
  const items = await queryAll(table, {
    partition: personPartition(personId),
    sort: { beginsWith: membershipPrefix },
  });
  const memberships = readableItems(table, items, (item) => Membership.parse(item));
  const found = await batchGet(
    table,
    memberships.map(({ workspaceId }) => workspaceKey(workspaceId)),
  );
  return memberships
    .flatMap(({ workspaceId, role }) => {
      const item = found.get(workspaceKey(workspaceId));
      if (!item) return [];
      const { id, name, timezone = 'UTC', suspendedAt, erasingSince } = Workspace.parse(item);
      return erasingSince === undefined
        ? [{ id, name, timezone, role, isSuspended: suspendedAt !== undefined }]
        : [];
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id));
}
