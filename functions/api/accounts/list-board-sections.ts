import { listSections } from '../../../lib/accounts/boards/boards.ts';
import { listSectionsOperation } from '../../../lib/accounts/boards/operations.ts';
import { boardPlatformFor } from '../../../lib/platforms/registry/boards.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `GET /v1/accounts/{id}/boards/{boardId}/sections` */
export const build = apiHandler(listSectionsOperation, { toolsFor, vault }, async ({ context, path }) => ({
  status: 200,
  body: { sections: await listSections({ ...context, boardPlatformFor }, path.id, path.boardId) },
}));
