import { listLinkClicks } from '../../../lib/automations/link-clicks.ts';
import { listLinksOperation } from '../../../lib/automations/operations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { publicBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/links` */
export const build = apiHandler(listLinksOperation, { publicBaseUrl }, async ({ context, query }) => ({
  status: 200,
  body: await listLinkClicks(context, query),
}));
