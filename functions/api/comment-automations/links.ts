import { listLinkClicks } from '../../../lib/automations/link-clicks.ts';
import { listLinksOperation } from '../../../lib/automations/operations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { linkBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/links` */
export const build = apiHandler(listLinksOperation, { linkBaseUrl }, async ({ context, query }) => ({
  status: 200,
  body: await listLinkClicks(context, query),
}));
