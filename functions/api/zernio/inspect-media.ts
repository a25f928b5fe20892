import { inspectMedia, inspectMediaOperation } from '../../../lib/zernio/inspect-media.ts';
import { apiHandler } from '../../middleware/api.ts';
import { openSource } from '../../wire/public-network.ts';

/** Looks at a file at a public address. */
export const build = apiHandler(inspectMediaOperation, { openSource }, async ({ context, body }) => ({
  status: 200,
  body: await inspectMedia(context.openSource, body.url, context.workspaceId),
}));
