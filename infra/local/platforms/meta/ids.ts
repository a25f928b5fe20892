import type { Ledger } from '../kit/ledger.ts';

/** Ids for a platform's objects. An id reveals the kind of its object. */
export interface ObjectIds<Kind extends string> {
  next(ledger: Ledger, kind: Kind): string;
  /** Returns the kind of object that an id names, even if no such object exists. */
  kindOf(id: string): Kind | undefined;
}

/** @param first the first id of each kind; no two kinds may share both their length and their first four digits */
export function objectIds<Kind extends string>(first: Readonly<Record<Kind, bigint>>): ObjectIds<Kind> {
  const kinds = Object.keys(first) as Kind[];
  return {
    next: (ledger, kind) => String(first[kind] + 4n * BigInt(ledger.nextNumber(kind))),
    kindOf: (id) =>
      kinds.find((kind) => {
        const known = String(first[kind]);
        return /^\d+$/.test(id) && id.length === known.length && id.startsWith(known.slice(0, 4));
      }),
  };
}
