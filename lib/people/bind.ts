import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { absent, present } from '../table/condition.ts';
import { getItem } from '../table/items.ts';
import {
  invitationKey,
  invitedPartition,
  memberCountsKey,
  memberKey,
  membershipKey,
  workspaceKey,
} from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { checkPart, deletePart, putPart, transact, updatePart } from '../table/transaction.ts';
import { addressDigest, EmailAddress } from './email-address.ts';
import { Invitation, Member, type Membership } from './schemas.ts';

/** A person whose address the issuer has verified. */
export interface VerifiedPerson {
  readonly personId: string;
  readonly email: string;
  readonly name?: string | undefined;
}

/** The dependencies of binding invitations at a sign-in. */
export interface BindPorts {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The request id of the sign-in, for the audit log. */
  readonly requestId: string;
  /** Tells operators about a failure, for example with one invitation. The others are still bound. */
  readonly report: (message: string, error: unknown) => void;
}

/** The number of tries if an invitation changes while it is bound. */
const maxAttempts = 5;

/**
 * Makes a person a member wherever the address is invited. Each invitation is bound to one person, once: if sign-ins are repeated
 * or concurrent, the first one binds it, and the workspace's audit log has one entry. An invitation that cannot be bound now
 * stays for the next sign-in.
 *
 * @param person the person; the address must be verified, because whoever controls it becomes the member
 */
export async function bindInvitations(ports: BindPorts, person: VerifiedPerson): Promise<void> {
  const { table, report } = ports;
  const { data: address } = EmailAddress.safeParse(person.email);
  if (address === undefined) return;
  const partition = invitedPartition(addressDigest(address));
  const items = await queryAll(table, { partition });
  for (const invitation of readableItems(table, items, (item) => Invitation.parse(item))) {
    try {
      await bind(ports, { ...person, email: address }, invitation);
    } catch (error) {
      report('an invitation was not bound; the next sign-in tries again', error);
    }
  }
}

async function bind(
  ports: BindPorts,
  person: VerifiedPerson,
  { workspaceId, memberId }: Invitation,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const item = await getItem(ports.table, memberKey(workspaceId, memberId));
    const member = item && Member.parse(item);
    // The member was removed, or bound by another sign-in: its transaction deletes the invitation too.
    if (!member || member.personId !== undefined || member.email !== person.email) return;
    if (await commit(ports, person, member)) return;
  }
}

/**
 * @returns true if there is nothing more to do: it is bound, the person is a member of the workspace already, or the workspace is
 *   being erased
 */
async function commit(
  { table, now, requestId }: BindPorts,
  { personId, email, name }: VerifiedPerson,
  { workspaceId, id: memberId, role }: Member,
): Promise<boolean> {
  const membership: Membership = { personId, workspaceId, memberId, role };
  const act = { actor: { kind: 'person', id: personId }, verb: 'member.join', requestId } as const;
  const outcome = await transact(table, [
    updatePart(table, memberKey(workspaceId, memberId), {
      set: { personId, name, joinedAt: toTimestamp(now) },
      // The membership and the counts get this role, and nobody else has joined.
      if: { pk: present, personId: absent, role },
    }),
    putPart(
      table,
      { ...membershipKey(personId, workspaceId), kind: 'membership', ...membership },
      { pk: absent },
    ),
    deletePart(table, invitationKey(addressDigest(email), workspaceId), { memberId }),
    updatePart(table, memberCountsKey(workspaceId), {
      add: { [role === 'owner' ? 'owners' : 'members']: 1 },
      if: { pk: present },
    }),
    checkPart(table, workspaceKey(workspaceId), { pk: present, erasingSince: absent }),
    auditPart({ ...act, table, workspaceId, now }, memberId),
  ]);
  return outcome.committed || outcome.failedIndex !== 0;
}
