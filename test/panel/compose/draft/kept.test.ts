import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptDrafts, parseKept } from '../../../../lib/panel/pages/compose/draft/kept.ts';
import { idOf } from '../../support/ids.ts';
import { draftFor, drafts } from '../support/drafts.ts';

const empty = draftFor();

describe('what a browser keeps', () => {
  const memory = () => {
    const values = new Map<string, string>();
    return {
      values,
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => void values.set(name, value),
      removeItem: (name: string) => void values.delete(name),
      key: (place: number) => [...values.keys()][place] ?? null,
      get length() {
        return values.size;
      },
    };
  };
  const owner = { personId: 'person-1', workspaceId: idOf(2) };

  it('is what was typed, for the same person and workspace, the last edited first', () => {
    const storage = memory();
    const kept = new KeptDrafts(() => storage, owner);
    fc.assert(
      fc.property(drafts, (draft) => {
        storage.values.clear();
        kept.set({ draft, editedAt: 1 });
        expect(kept.get(draft.id)).toEqual({ draft, editedAt: 1 });
      }),
    );
    storage.values.clear();
    storage.setItem('compose/person-1/other', 'not JSON');
    kept.set({ draft: empty, editedAt: 1 });
    kept.set({ draft: { ...empty, id: idOf(2) }, editedAt: 2 });
    kept.set({ draft: { ...empty, id: idOf(3) }, editedAt: 3, before: empty });
    expect(kept.list().map(({ draft }) => draft.id)).toEqual([idOf(2), idOf(1)]);
    expect(new KeptDrafts(() => storage, { ...owner, personId: 'person-2' }).list()).toEqual([]);
  });

  it.each([['null'], ['{}'], ['{"version":2}'], ['{"version":1,"draft":{"id":1},"editedAt":1}'], ['[']])(
    'is not read from %s',
    (text) => expect(parseKept(text)).toBeUndefined(),
  );

  it('is nothing where storage is full or forbidden, which it says', () => {
    const kept = new KeptDrafts(() => {
      throw new Error('forbidden');
    }, owner);
    expect(kept.set({ draft: empty, editedAt: 1 })).toBe(false);
    expect([kept.get('x'), kept.list()]).toEqual([undefined, []]);
  });
});
