import { createSection } from '../../../lib/accounts/boards/boards.ts';
import { createSectionOperation } from '../../../lib/accounts/boards/operations.ts';
import { boardPlatformFor } from '../../../lib/platforms/registry/boards.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/accounts/{id}/boards/{boardId}/sections` */
export const build = apiHandler(
  createSectionOperation,
  { toolsFor, vault, stageFeatures },
  async ({ context, path, body }) => ({
    status: 201,
    body: { section: await createSection({ ...context, boardPlatformFor }, path.id, path.boardId, body) },
  }),
);
