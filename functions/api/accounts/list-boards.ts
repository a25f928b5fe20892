import { listBoards } from '../../../lib/accounts/boards/boards.ts';
import { listBoardsOperation } from '../../../lib/accounts/boards/operations.ts';
import { boardPlatformFor } from '../../../lib/platforms/registry/boards.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `GET /v1/accounts/{id}/boards` */
export const build = apiHandler(listBoardsOperation, { toolsFor, vault }, async ({ context, path }) => ({
  status: 200,
  body: { boards: await listBoards({ ...context, boardPlatformFor }, path.id) },
}));
