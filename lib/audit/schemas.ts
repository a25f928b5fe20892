import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { Timestamp } from '../api-contract/fields.ts';
import { defaultRetention } from '../table/retention.ts';

/** The number of days for which the audit log keeps an entry, unless the stage sets another. */
export const auditDays = defaultRetention.audit;

export const AuditOutcome = z.enum(['done', 'refused', 'begun']).meta({
  id: 'AuditOutcome',
  description:
    '`done`: written together with the change. `begun`: written before an action outside the database, such as a call to a platform; the action may have failed. `refused`: the actor was not allowed to do it',
});
export type AuditOutcome = z.infer<typeof AuditOutcome>;

/** One entry of a workspace's audit log, as it is stored and as the API shows it. */
export const AuditEntry = z
  .object({
    id: z.uuid(),
    at: Timestamp,
    actor: ActorReference,
    verb: z.string().meta({ description: 'The action, such as `post.create` or `key.revoke`' }),
    subjectId: z.string().nullable().meta({
      description:
        'The id of what was changed; null if nothing was. For `account.connect`, the attempt: the SHA-256 of its `state`, in hexadecimal. For `board.create`, the account',
    }),
    subjectName: z.string().optional().meta({
      description:
        'The name of what was changed, as it was before: of a post, the beginning of its text; of an endpoint, its description or host; of an account, the platform. Absent for what has no name, and in entries of earlier releases',
    }),
    requestId: z
      .string()
      .meta({ description: '`X-Request-Id` of the response; for `refused`, of the first one' }),
    outcome: AuditOutcome,
    accountIds: z.array(z.string()).optional().meta({
      description: 'The accounts that a login connected. An attempt that has only begun has none',
    }),
    count: z.int().optional().meta({
      description:
        'Only for `refused`: the number of refusals of this actor and action within the hour that begins at `at`. Absent in entries of earlier releases, which are one refusal each',
    }),
    lastAt: Timestamp.optional().meta({ description: 'Only for `refused`: the time of the last of them' }),
    note: z.string().optional().meta({ description: 'The reason that the actor gave, or what was refused' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;
