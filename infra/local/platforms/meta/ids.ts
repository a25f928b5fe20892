import type { Ledger } from '../kit/ledger.ts';

/** The ids of a platform's objects, each of which tells the kind of its object. */
export interface ObjectIds<Kind extends string> {
  next(ledger: Ledger, kind: Kind): string;
  /** What kind of object an id names, whether or not there is one. */
  kindOf(id: string): Kind | undefined;
}

/** @param first the first id of each kind; no two kinds may share their number of digits and the first four */
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
