import { createBoard } from '../../../lib/accounts/boards/boards.ts';
import { createBoardOperation } from '../../../lib/accounts/boards/operations.ts';
import { boardPlatformFor } from '../../../lib/platforms/registry/boards.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/accounts/{id}/boards` */
export const build = apiHandler(
  createBoardOperation,
  { toolsFor, vault, stageFeatures },
  async ({ context, path, body }) => ({
    status: 201,
    body: { board: await createBoard({ ...context, boardPlatformFor }, path.id, body) },
  }),
);
