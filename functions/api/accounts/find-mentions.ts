import { findMentions } from '../../../lib/accounts/mentions.ts';
import { findMentionsOperation } from '../../../lib/accounts/operations.ts';
import { mentionPlatformFor } from '../../../lib/platforms/registry/mentions.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `GET /v1/accounts/{id}/mentions` */
export const build = apiHandler(
  findMentionsOperation,
  { toolsFor, vault },
  async ({ context, path, query }) => ({
    status: 200,
    body: { mentions: await findMentions({ ...context, mentionPlatformFor }, path.id, query.query) },
  }),
);
