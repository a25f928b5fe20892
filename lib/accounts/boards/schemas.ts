import * as z from 'zod';
import { orNull } from '../../api-contract/fields.ts';

export const BoardView = z
  .object({
    id: z.string().meta({ description: 'Use it as `platformSpecificData.boardId`' }),
    name: z.string(),
    description: z.string().nullable(),
    privacy: z.string().nullable().meta({ description: 'The platform’s value, such as `PUBLIC`' }),
  })
  .meta({ id: 'Board' });

export const BoardSectionView = z
  .object({
    id: z.string().meta({ description: 'Use it as `platformSpecificData.boardSectionId`' }),
    name: z.string(),
  })
  .meta({ id: 'BoardSection' });

/**
 * The limits for names. Pinterest documents 1 to 180 characters for sections and no limit for boards; both get the same limit.
 */
const Name = z.string().trim().min(1, 'must not be empty').max(180, 'must have at most 180 characters');

export const CreateBoardBody = z
  .object({
    name: Name,
    description: orNull(z.string().max(500, 'must have at most 500 characters').optional()),
  })
  .meta({ id: 'CreateBoard' });
export type CreateBoardBody = z.output<typeof CreateBoardBody>;

export const CreateSectionBody = z.object({ name: Name }).meta({ id: 'CreateBoardSection' });
export type CreateSectionBody = z.output<typeof CreateSectionBody>;
