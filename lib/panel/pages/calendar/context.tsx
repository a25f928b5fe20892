import { createContext, type RefObject, use } from 'react';
import type { Account } from '../../accounts/account.ts';
import type { Movable } from '../../posts/moves.tsx';
import type { ListedPost } from '../../posts/post.ts';

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
  /** The post that is being dragged. */
  draggedRef: RefObject<Movable | undefined>;
  onDrop: (day: string) => void;
  onMove: (movable: Movable) => void;
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
