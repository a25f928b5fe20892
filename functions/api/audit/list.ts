import { listAudit } from '../../../lib/audit/list.ts';
import { listAuditOperation } from '../../../lib/audit/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/audit` */
export const build = apiHandler(listAuditOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listAudit(context, query),
}));
