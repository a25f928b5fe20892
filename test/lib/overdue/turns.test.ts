import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inTurns } from '../../../lib/overdue/due-pages.ts';
import { ownerOf, repairTaskKey, targetKey } from '../../../lib/table/keys.ts';

const keys = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.uuid()).map(([owner, id]) => targetKey(owner, id, 'x')),
    fc.uuid().map(repairTaskKey),
  ),
  { maxLength: 60 },
);

it('owners take turns, in the order of their first keys, and each keeps its own order', () => {
  fc.assert(
    fc.property(keys, (given) => {
      const ordered = inTurns(given);
      const byOwner = Map.groupBy(given, ownerOf);
      const rounds = Map.groupBy(ordered, (key) => byOwner.get(ownerOf(key))?.indexOf(key) ?? -1);
      expect([...Map.groupBy(ordered, ownerOf).entries()]).toEqual([...byOwner.entries()]);
      expect([...rounds.keys()]).toEqual([...rounds.keys()].toSorted((one, other) => one - other));
      const owners = [...byOwner.keys()];
      for (const round of rounds.values()) {
        const turns = round.map((key) => owners.indexOf(ownerOf(key)));
        expect(turns).toEqual([...new Set(turns)].toSorted((one, other) => one - other));
      }
    }),
  );
});
