import { useState } from 'react';
import { read, write } from '../../api/stored.ts';
import type { ListedPost } from '../../posts/post.ts';
import { useMe, useWorkspace } from '../../workspace.tsx';

/** Posts that a person has dealt with, by id: when the post had changed last, ISO 8601. */
export type Dismissals = ReadonlyMap<string, string>;

const most = 500;
const none: Dismissals = new Map();

/** True if somebody has dealt with a post. If it has changed since, such as because it has failed again, it is news. Pure. */
export const isDismissed = (dismissals: Dismissals, { id, updatedAt }: ListedPost): boolean =>
  updatedAt <= (dismissals.get(id) ?? '');

/** Reads what was kept; what cannot be read is nothing. Pure. */
export function parseDismissals(text: string): Dismissals {
  try {
    const entries: unknown = JSON.parse(text);
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : []);
  } catch {
    return new Map();
  }
}

const isEntry = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && entry.length === 2 && entry.every((each) => typeof each === 'string');

function kept(name: string): Dismissals | undefined {
  const text = read(() => localStorage, name);
  return text === undefined ? undefined : parseDismissals(text);
}

interface UsedDismissals {
  readonly dismissals: Dismissals;
  readonly dismiss: (posts: readonly ListedPost[]) => void;
  readonly restore: (posts: readonly ListedPost[]) => void;
}

/**
 * The posts that the person has dealt with in this workspace, as this browser keeps them. The service and other people do not know of it.
 */
export function useDismissals(): UsedDismissals {
  const personId = useMe().person.id;
  const { id: workspaceId } = useWorkspace();
  const name = `now/dismissed/${personId}/${workspaceId}`;
  const [shown, setShown] = useState(() => ({ name, dismissals: kept(name) ?? none }));
  // The person has gone to another workspace.
  const dismissals = shown.name === name ? shown.dismissals : (kept(name) ?? none);
  const edit = (posts: readonly ListedPost[], isDismissed: boolean) => {
    // Another tab may have dismissed others.
    const next = new Map(kept(name) ?? dismissals);
    for (const { id, updatedAt } of posts) {
      next.delete(id);
      if (isDismissed) next.set(id, updatedAt);
    }
    write(() => localStorage, name, JSON.stringify([...next].slice(-most)));
    setShown({ name, dismissals: next });
  };
  return {
    dismissals,
    dismiss: (posts) => edit(posts, true),
    restore: (posts) => edit(posts, false),
  };
}
