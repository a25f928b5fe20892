import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import type { Board, BoardPlatform, BoardSection } from '../contract/boards.ts';
import type { Parameters, PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { callPinterest, PinterestId } from './client.ts';

/** The field schemas of Board and BoardSection, from the OpenAPI description 5.23. */
const text = z.string().nullish().catch(undefined);
const BoardBody = z.object({
  id: PinterestId,
  name: z.string(),
  description: text,
  privacy: text,
  is_ads_only: z.boolean().optional().catch(undefined),
});
const SectionBody = z.object({ id: PinterestId, name: z.string() });
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), bookmark: z.string().nullish().catch(undefined) });
const Boards = pageOf(BoardBody);
const Sections = pageOf(SectionBody);

/** The limit on pages of 250 items; an account has at most 2,000 boards, and a board at most 500 sections. */
const maxPages = 10;
/** The space for boards in an account, which is one DynamoDB item (at most 400 kB). Only thousands of long names reach it. */
const maxMetaBytes = 250_000;
/** The time limit of a call, short because an API request may need several calls. */
const totalSeconds = 10;

/** Pinterest's boards. Leaves out those for ads only. Pinterest leaves out secret ones, unless the token has their scopes. */
export const pinterestBoards: BoardPlatform = {
  async listBoards(bearer, tools) {
    const boards = await allPages((query) => get('boards', query, bearer, tools), Boards);
    return boards.filter(({ is_ads_only: isAdsOnly }) => !isAdsOnly).map(toBoard);
  },

  async createBoard(bearer, { name, description }, tools) {
    const json = { name, ...(description !== undefined && { description }) };
    return toBoard(readResponse(BoardBody, await post('boards', json, bearer, tools)));
  },

  listSections: (bearer, boardId, tools): Promise<BoardSection[]> =>
    allPages((query) => get(sectionsOf(boardId), query, bearer, tools), Sections),

  createSection: async (bearer, boardId, name, tools): Promise<BoardSection> =>
    readResponse(SectionBody, await post(sectionsOf(boardId), { name }, bearer, tools)),

  forMeta: boardsForMeta,
};

/** Returns the ids and names of the boards. Leaves out those that no longer fit into the account. */
export function boardsForMeta(boards: readonly Board[]): Json[] {
  let bytes = 0;
  return boards.flatMap(({ id, name }) => {
    bytes += Buffer.byteLength(id) + Buffer.byteLength(name) + 20;
    return bytes <= maxMetaBytes ? [{ id, name }] : [];
  });
}

const sectionsOf = (boardId: string) => `boards/${encodeURIComponent(boardId)}/sections`;

const get = (path: string, query: Parameters, bearer: string, tools: PlatformTools) =>
  callPinterest(tools, { method: 'GET', path, query, bearer, totalSeconds });
const post = (path: string, json: Json, bearer: string, tools: PlatformTools) =>
  callPinterest(tools, { method: 'POST', path, bearer, body: { json }, totalSeconds });

function toBoard({ id, name, description, privacy }: z.infer<typeof BoardBody>): Board {
  return { id, name, description: description ?? null, privacy: privacy ?? null };
}

async function allPages<Item>(
  read: (query: Parameters) => Promise<PlatformResponse>,
  schema: z.ZodType<{ items: Item[]; bookmark?: string | null | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let bookmark: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items: more, bookmark: next } = readResponse(schema, await read({ page_size: '250', bookmark }));
    items.push(...more);
    if (!next) break;
    bookmark = next;
  }
  return items;
}
