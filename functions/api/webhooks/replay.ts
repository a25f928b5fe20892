import { beginReplay } from '../../../lib/webhooks/replays/begin.ts';
import { replayOperation } from '../../../lib/webhooks/replays/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `POST /v1/webhooks/{id}/replay` */
export const build = apiHandler(replayOperation, {}, async ({ context, path, body }) => ({
  status: 202,
  body: await beginReplay(context, path.id, body),
}));
