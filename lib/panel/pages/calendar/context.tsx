import { createContext, type RefObject, use } from 'react';
import type { Account } from '../../accounts/account.ts';
import type { Movable } from '../../posts/moves.tsx';
import type { ListedPost } from '../../posts/post.ts';
import type { Entry } from './entries.ts';

/** A post that is being dragged. */
export interface Dragged extends Movable {
  /** The distance of the pointer from the upper edge of the card, in pixels, for columns with hours. */
  readonly grip?: number;
}

/** An action that asks before it is done. */
export type CardAct = 'copy' | 'publish' | 'remove';

/** Facts and actions that all parts of the calendar share. */
export interface CalendarTools {
  timezone: string;
  /** The zone of the person's own clock. */
  ownZone: string;
  /** Epoch milliseconds, renewed twice a minute. */
  now: number;
  today: string;
  /** The connected accounts by id; `undefined` until they are read. */
  accounts: ReadonlyMap<string, Account> | undefined;
  draggedRef: RefObject<Dragged | undefined>;
  /** Moves what is dragged to a day, or to a time of it. */
  onDrop: (day: string, at?: Date) => void;
  onMove: (movable: Movable) => void;
  onAct: (act: CardAct, movable: Movable) => void;
  /** The ids of the posts that are selected. */
  selected: ReadonlySet<string>;
  /** Selects the post of a card or, if it is selected, no longer; with `isRange` all from the last one to it. */
  onSelect: (entry: Entry, isRange?: boolean) => void;
  onDuplicate: (post: ListedPost, at: string | null) => void;
}

const ToolsContext = createContext<CalendarTools | undefined>(undefined);
export const ToolsProvider = ToolsContext.Provider;

export function useTools(): CalendarTools {
  const tools = use(ToolsContext);
  if (tools === undefined) throw new Error('Only the calendar has its tools');
  return tools;
}

/** Type of what is dragged: nothing else can be dropped on a day. */
export const dragType = 'application/x-herald-post';
