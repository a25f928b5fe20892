import type { Json } from '../../kernel/json.ts';
import type { PlatformTools } from './tools.ts';

/** A board of an account. Each post belongs to one. */
export interface Board {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The platform's own word for who can see the board. */
  readonly privacy: string | null;
}

/** A section of a board. Posts can belong to one. */
export interface BoardSection {
  readonly id: string;
  readonly name: string;
}

/** The boards of a platform's accounts. All calls throw PlatformError. */
export interface BoardPlatform {
  /** Returns every board that accepts posts, as the platform has them now. */
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
  /** Returns the form in which the account's `meta.boards` keeps these boards. */
  forMeta(boards: readonly Board[]): Json[];
}
