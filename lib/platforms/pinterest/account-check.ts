import * as z from 'zod';
import type { AccountCheck } from '../contract/account-check.ts';
import { readResponse } from '../shared/json.ts';
import { callPinterest, PinterestId } from './client.ts';

const Boards = z.object({
  items: z.array(z.object({ id: PinterestId })),
  bookmark: z.string().nullish().catch(undefined),
});
const KnownBoards = z.array(z.object({ id: z.string() })).catch([]);
const GoneBoards = z.array(z.string()).catch([]);

/** The number of missing boards that are named at most, so that the answer stays small. */
const maxNamed = 200;

/**
 * Lists the boards, up to 250. Of an account with more, nothing is said about boards. A board counts as gone only if the account has
 * listed it before: a list that somebody reads in the meantime leaves it out too, so what was gone stays gone. https://developers.pinterest.com/docs/api/v5/boards-list
 */
export const pinterestAccountCheck: AccountCheck = {
  async ask({ meta }, bearer, tools, before) {
    const query = { page_size: '250' };
    const { items, bookmark } = readResponse(
      Boards,
      await callPinterest(tools, { method: 'GET', path: 'boards', query, bearer }),
    );
    const listed = new Set(items.map(({ id }) => id));
    if (bookmark) return { gone: [] };
    const known = KnownBoards.parse(meta['boards']).map(({ id }) => id);
    const all = new Set([...GoneBoards.parse(before?.['gone']), ...known]);
    return { gone: [...all].filter((id) => !listed.has(id)).slice(0, maxNamed) };
  },

  judge({ gone }, { options }) {
    const board = options['boardId'];
    if (!Array.isArray(gone) || typeof board !== 'string' || !gone.includes(board)) return [];
    const message = `Pinterest no longer lists the board ${board}: choose another board`;
    return [{ code: 'platform_rejected', message, field: 'platformSpecificData.boardId' }];
  },
};
