/** The owner of the work. Somebody else who signs in at this browser does not see it. */
export interface Owner {
  readonly personId: string;
  readonly workspaceId: string;
}

/** Unfinished work as this browser keeps it. */
export interface Kept<Draft> {
  readonly draft: Draft;
  /** Epoch milliseconds; of two tabs, the later edit wins. */
  readonly editedAt: number;
  /** If it changes something that is stored: that, as the changes began. */
  readonly before?: Draft | undefined;
}

/** The beginnings of all names in the storage, by the kind of the work. */
const prefixes = ['compose', 'automations'] as const;

/** A kind of unfinished work. */
export interface WorkKind<Draft> {
  readonly prefix: (typeof prefixes)[number];
  /** Returns true if it has the form that this release reads: the storage may have an older one. */
  readonly isDraft: (value: unknown) => value is Draft;
  /** The time after which work to which nobody has come back is not read; absent: it is kept for ever. */
  readonly longestMs?: number;
}

/** Another form than this is not read. */
const version = 1;

type Storing = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Unfinished work of a kind in a browser's storage, which may be full or forbidden: nothing here throws. */
export class KeptWork<Draft> {
  private readonly storage: () => Storing;
  private readonly kind: WorkKind<Draft>;
  private readonly owner: Owner;

  /** @param storage may throw, such as `() => localStorage` if it is forbidden */
  constructor(storage: () => Storing, kind: WorkKind<Draft>, owner: Owner) {
    this.storage = storage;
    this.kind = kind;
    this.owner = owner;
  }

  /** The name in the storage. @param of what is worked on */
  nameOf(of: string): string {
    const { personId, workspaceId } = this.owner;
    return `${this.kind.prefix}/${personId}/${workspaceId}/${of}`;
  }

  /**
   * @param now epoch milliseconds
   * @returns `undefined` if there is none, or if it cannot be read
   */
  get(of: string, now: number): Kept<Draft> | undefined {
    return withoutErrors(() => parseKept(this.storage().getItem(this.nameOf(of)), this.kind, now));
  }

  /** @returns whether the browser keeps it */
  set(of: string, kept: Kept<Draft>): boolean {
    const isKept = withoutErrors(() => {
      this.storage().setItem(this.nameOf(of), JSON.stringify({ version, ...kept }));
      return true;
    });
    return isKept === true;
  }

  remove(of: string): void {
    withoutErrors(() => this.storage().removeItem(this.nameOf(of)));
  }

  /** Work on something new, the last edited first. @param now epoch milliseconds */
  list(now: number): readonly Kept<Draft>[] {
    const found = withoutErrors(() => {
      const storage = this.storage();
      return namesIn(storage, this.nameOf('')).flatMap(
        (name) => parseKept(storage.getItem(name), this.kind, now) ?? [],
      );
    });
    return (found ?? [])
      .filter(({ before }) => before === undefined)
      .sort((one, other) => other.editedAt - one.editedAt);
  }

  /** Removes what can no longer be read, such as what nobody has come back to, also of other people. @param now epoch milliseconds */
  removeOld(now: number): void {
    withoutErrors(() => {
      const storage = this.storage();
      for (const name of namesIn(storage, `${this.kind.prefix}/`))
        if (parseKept(storage.getItem(name), this.kind, now) === undefined) storage.removeItem(name);
    });
  }
}

/**
 * Reads what a browser has kept, in whatever form an older release has left it.
 *
 * @param now epoch milliseconds
 */
export function parseKept<Draft>(
  text: string | null,
  { isDraft, longestMs = Number.POSITIVE_INFINITY }: Pick<WorkKind<Draft>, 'isDraft' | 'longestMs'>,
  now: number,
): Kept<Draft> | undefined {
  return withoutErrors(() => {
    const parsed = JSON.parse(text ?? 'null') as
      | (Partial<Kept<Draft>> & { readonly version?: number })
      | null;
    const { version: given, ...kept } = parsed ?? {};
    const isReadable =
      given === version &&
      typeof kept.editedAt === 'number' &&
      now - kept.editedAt < longestMs &&
      isDraft(kept.draft);
    return isReadable ? (kept as Kept<Draft>) : undefined;
  });
}

/** Counts the unfinished work of a person that the browser keeps, of all kinds and workspaces. @param personId absent: of everybody */
export const countKept = (storage: () => Storing, personId?: string): number =>
  withoutErrors(() => namesOf(storage(), personId).length) ?? 0;

/** Deletes all unfinished work of a person. */
export function deleteKept(storage: () => Storing, personId: string): void {
  withoutErrors(() => {
    const present = storage();
    for (const name of namesOf(present, personId)) present.removeItem(name);
  });
}

const namesOf = (storage: Storing, personId: string | undefined): readonly string[] =>
  prefixes.flatMap((prefix) =>
    namesIn(storage, personId === undefined ? `${prefix}/` : `${prefix}/${personId}/`),
  );

const namesIn = (storage: Storing, prefix: string): readonly string[] =>
  Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '').filter((name) =>
    name.startsWith(prefix),
  );

function withoutErrors<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
