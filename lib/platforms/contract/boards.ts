import type { Json } from '../../kernel/json.ts';
import type { PlatformTools } from './tools.ts';

/** A board of an account: each post belongs to one. */
export interface Board {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** As the platform names it. */
  readonly privacy: string | null;
}

/** A part of a board. */
export interface BoardSection {
  readonly id: string;
  readonly name: string;
}

/** The boards of a platform's accounts. All calls throw PlatformError. */
export interface BoardPlatform {
  /** Every board that accepts posts, as the platform has them now. */
  listBoards(accessToken: string, tools: PlatformTools): Promise<Board[]>;
  createBoard(
    accessToken: string,
    board: { readonly name: string; readonly description?: string | undefined },
    tools: PlatformTools,
  ): Promise<Board>;
  listSections(accessToken: string, boardId: string, tools: PlatformTools): Promise<BoardSection[]>;
  createSection(
    accessToken: string,
    boardId: string,
    name: string,
    tools: PlatformTools,
  ): Promise<BoardSection>;
  /** What the account's `meta.boards` shows of these boards. */
  forMeta(boards: readonly Board[]): Json[];
}
