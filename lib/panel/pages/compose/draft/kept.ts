import { keptPrefix } from '../../../posts/kept-prefix.ts';
import type { Draft } from './draft.ts';

/** A draft as this browser keeps it. */
export interface Kept {
  readonly draft: Draft;
  /** Epoch milliseconds; of two tabs, the later edit wins. */
  readonly editedAt: number;
  /** If it changes a post: its id is the draft's, and this is the post as the changes began. */
  readonly before?: Draft | undefined;
}

/** Another form is not read: what is in storage may be of an older release of this page. */
const version = 1;

/** Whose drafts they are. Somebody else who signs in at this browser does not see them. */
export interface Owner {
  readonly personId: string;
  readonly workspaceId: string;
}

const prefixOf = ({ personId, workspaceId }: Owner) => `${keptPrefix}${personId}/${workspaceId}/`;
export const keptName = (owner: Owner, draftId: string): string => `${prefixOf(owner)}${draftId}`;

type Storing = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Drafts in a browser's storage, which may be full or forbidden: nothing here throws. */
export class KeptDrafts {
  private readonly storage: () => Storing;
  private readonly owner: Owner;

  /** @param storage may throw, such as `() => localStorage` where it is forbidden */
  constructor(storage: () => Storing, owner: Owner) {
    this.storage = storage;
    this.owner = owner;
  }

  nameOf(draftId: string): string {
    return keptName(this.owner, draftId);
  }

  /** @returns `undefined` if there is none, or if it cannot be read */
  get(draftId: string): Kept | undefined {
    try {
      return parseKept(this.storage().getItem(this.nameOf(draftId)));
    } catch {
      return undefined;
    }
  }

  /** @returns whether the browser keeps it */
  set(kept: Kept): boolean {
    try {
      this.storage().setItem(this.nameOf(kept.draft.id), JSON.stringify({ version, ...kept }));
      return true;
    } catch {
      return false;
    }
  }

  remove(draftId: string): void {
    try {
      this.storage().removeItem(this.nameOf(draftId));
    } catch {
      // Then it is not kept either.
    }
  }

  /** Unfinished drafts of new posts, the last edited first. */
  list(): readonly Kept[] {
    try {
      const storage = this.storage();
      const prefix = prefixOf(this.owner);
      const found: Kept[] = [];
      for (let place = 0; place < storage.length; place++) {
        const name = storage.key(place);
        const kept = name?.startsWith(prefix) ? parseKept(storage.getItem(name)) : undefined;
        if (kept !== undefined && kept.before === undefined) found.push(kept);
      }
      return found.sort((one, other) => other.editedAt - one.editedAt);
    } catch {
      return [];
    }
  }
}

/** Reads what a browser has kept, in whatever form an older release has left it. */
export function parseKept(text: string | null): Kept | undefined {
  if (text === null) return undefined;
  try {
    const { version: given, ...kept } = JSON.parse(text) as Partial<Kept> & { readonly version?: number };
    return given === version && isDraft(kept.draft) && typeof kept.editedAt === 'number'
      ? (kept as Kept)
      : undefined;
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { id, content, media, destinations, parked, when, chain } = value as Partial<Draft>;
  return (
    typeof id === 'string' &&
    typeof content === 'string' &&
    typeof when === 'object' &&
    [media, destinations, parked, chain].every(Array.isArray)
  );
}
