import * as z from 'zod';
import { verbNames } from '../access/verbs.ts';
import { operation } from '../api-contract/operation.ts';
import { pageQuery, pageReply } from '../api-contract/shapes.ts';
import { canonicalId } from '../kernel/ids.ts';
import { Moment } from './range.ts';
import { AuditEntry } from './schemas.ts';

const ListAuditQuery = pageQuery({
  from: Moment.optional().meta({ description: 'Only entries at or after this time' }),
  to: Moment.optional().meta({ description: 'Only entries before this time' }),
  actor: z
    .string()
    .min(1)
    .max(200)
    .overwrite(canonicalId)
    .optional()
    .meta({ description: 'Only actions of this key, person or operator: the `id` of the `actor`' }),
  verb: z
    .enum(verbNames, { error: 'must be a verb of the audit log, such as post.create' })
    .optional()
    .meta({ description: 'Only this, such as `post.create`' }),
});
export type ListAuditQuery = z.output<typeof ListAuditQuery>;

export const listAuditOperation = operation({
  id: 'listAuditEntries',
  handler: 'audit/list',
  verb: 'audit.read',
  method: 'GET',
  path: '/v1/audit',
  summary: 'Read who changed what, newest first',
  description:
    'One entry for each change, by an API key, a person who is signed in or an operator, and one for the attempts of an actor at the same action that were refused with 403 within an hour, with their number. Requests that only read have none. Entries are kept for 400 days, unless the operator of the service has set another time. With `actor` or `verb`, a page may be shorter than `limit`, or empty; `nextCursor` says whether there are more.',
  query: ListAuditQuery,
  replies: pageReply('entries', AuditEntry, 'A page of the audit log'),
  rights: { reads: { Query: ['AUDIT#'] } },
});
