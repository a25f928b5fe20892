import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newDraft } from '../../../lib/panel/pages/automations/edit/draft.ts';
import { automationWork } from '../../../lib/panel/pages/automations/edit/use-automation-draft.ts';
import { postWork } from '../../../lib/panel/pages/compose/draft/draft.ts';
import { countKept, deleteKept, KeptWork, parseKept } from '../../../lib/panel/unfinished/kept-work.ts';
import { draftFor, drafts } from '../compose/support/drafts.ts';
import { idOf } from '../support/ids.ts';

const post = draftFor();
const owner = { personId: 'person-1', workspaceId: idOf(2) };
const other = { ...owner, personId: 'person-10' };

function memory() {
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
}

describe('unfinished work that a browser keeps', () => {
  it('is what was typed, for the same person and workspace, the last edited first', () => {
    const storage = memory();
    const kept = new KeptWork(() => storage, postWork, owner);
    fc.assert(
      fc.property(drafts, (draft) => {
        storage.values.clear();
        kept.set(draft.id, { draft, editedAt: 1 });
        expect(kept.get(draft.id, 2)).toEqual({ draft, editedAt: 1 });
      }),
    );
    storage.values.clear();
    storage.setItem(kept.nameOf('broken'), 'not JSON');
    kept.set('1', { draft: { ...post, id: '1' }, editedAt: 1 });
    kept.set('2', { draft: { ...post, id: '2' }, editedAt: 2 });
    kept.set('3', { draft: { ...post, id: '3' }, editedAt: 3, before: post });
    expect(kept.list(4).map(({ draft }) => draft.id)).toEqual(['2', '1']);
    expect(new KeptWork(() => storage, postWork, other).list(4)).toEqual([]);
  });

  it('has the names under which earlier releases have kept it', () => {
    const names = [postWork, automationWork].map((kind) =>
      new KeptWork<unknown>(memory, kind as typeof postWork, owner).nameOf('a/b'),
    );
    expect(names).toEqual([`compose/person-1/${idOf(2)}/a/b`, `automations/person-1/${idOf(2)}/a/b`]);
  });

  it.each([['null'], ['{}'], ['{"version":2}'], ['{"version":1,"draft":{"id":1},"editedAt":1}'], ['[']])(
    'is not read from %s',
    (text) => {
      expect(parseKept(text, postWork, 2)).toBeUndefined();
      expect(parseKept(text, automationWork, 2)).toBeUndefined();
    },
  );

  it('is removed if nobody comes back to it, where a kind says so', () => {
    const storage = memory();
    const automations = new KeptWork(() => storage, automationWork, owner);
    const posts = new KeptWork(() => storage, postWork, owner);
    automations.set('new', { draft: newDraft(), editedAt: 0 });
    posts.set(post.id, { draft: post, editedAt: 0 });
    const month = 30 * 86_400_000;
    automations.removeOld(month - 1);
    expect(automations.get('new', month - 1)).toEqual({ draft: newDraft(), editedAt: 0 });
    automations.removeOld(month);
    expect(storage.length).toBe(1);
    expect(posts.get(post.id, month)).toBeDefined();
  });

  it('is counted and deleted for one person, of all kinds and workspaces', () => {
    const storage = memory();
    storage.setItem('theme', 'dark');
    for (const each of [owner, { ...owner, workspaceId: idOf(3) }, other]) {
      new KeptWork(() => storage, postWork, each).set(post.id, { draft: post, editedAt: 1 });
      new KeptWork(() => storage, automationWork, each).set('new', { draft: newDraft(), editedAt: 1 });
    }
    const open = () => storage;
    expect([countKept(open), countKept(open, owner.personId), countKept(open, other.personId)]).toEqual([
      6, 4, 2,
    ]);
    deleteKept(open, owner.personId);
    expect([countKept(open), countKept(open, other.personId), storage.length]).toEqual([2, 2, 3]);
  });

  it('is nothing where storage is full or forbidden, which it says', () => {
    const forbidden = () => {
      throw new Error('forbidden');
    };
    const kept = new KeptWork(forbidden, postWork, owner);
    expect(kept.set('x', { draft: post, editedAt: 1 })).toBe(false);
    kept.remove('x');
    kept.removeOld(1);
    deleteKept(forbidden, owner.personId);
    expect([kept.get('x', 1), kept.list(1), countKept(forbidden)]).toEqual([undefined, [], 0]);
  });
});
