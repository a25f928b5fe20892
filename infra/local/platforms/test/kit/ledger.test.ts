import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../kit/ledger.ts';

interface Note {
  readonly id: string;
  readonly owner: string;
  readonly at: number;
}

let directory: string;
let ledger: Ledger;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ledger-'));
  ledger = openLedger(directory, 'test');
});
afterEach(async () => {
  ledger.close();
  await rm(directory, { recursive: true });
});

const openNotes = () => ledger.records<Note>('note', ({ owner, at }) => ({ owner, at }));

it('lists records by owner and time, in either order', () => {
  const notes = openNotes();
  for (const [id, owner, at] of [
    ['1', 'a', 20],
    ['2', 'b', 10],
    ['3', 'a', 30],
    ['4', 'a', 10],
  ] as const) {
    notes.put(id, { id, owner, at });
  }
  const ids = (found: readonly Note[]) => found.map(({ id }) => id).join('');
  expect(ids(notes.list({ owner: 'a' }))).toBe('413');
  expect(ids(notes.list({ owner: 'a', newestFirst: true, limit: 2 }))).toBe('31');
  expect(ids(notes.list({ since: 20 }))).toBe('13');
  expect(notes.count({ owner: 'a', since: 20 })).toBe(2);
});

it('replaces and deletes by id, separately for each kind', () => {
  const [notes, others] = [openNotes(), ledger.records<string>('other')];
  notes.put('1', { id: '1', owner: 'a', at: 1 });
  notes.put('1', { id: '1', owner: 'b', at: 2 });
  others.put('1', 'other');
  expect(notes.list()).toEqual([{ id: '1', owner: 'b', at: 2 }]);
  notes.delete('1');
  expect([notes.get('1'), others.get('1')]).toEqual([undefined, 'other']);
});

it('writes all of a transaction or none of it', () => {
  const notes = openNotes();
  const failing = () =>
    ledger.transaction(() => {
      notes.put('1', { id: '1', owner: 'a', at: 1 });
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(notes.count()).toBe(0);
});

it('keeps the writes of a killed process', async () => {
  const module = new URL('../../kit/ledger.ts', import.meta.url).href;
  const script = `
    const { openLedger } = await import(${JSON.stringify(module)});
    const ledger = openLedger(${JSON.stringify(directory)}, 'killed');
    for (let n = 0; n < 100; n += 1) ledger.records('note').put(String(n), ledger.nextNumber('note'));
    process.stdout.write('written');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const survivor = openLedger(directory, 'killed');
  expect([survivor.records('note').count(), survivor.nextNumber('note')]).toEqual([100, 101]);
  survivor.close();
});

it('names a damaged file, and the remedy', async () => {
  const file = join(directory, 'damaged.sqlite');
  await writeFile(file, 'damaged '.repeat(1_000));
  expect(() => openLedger(directory, 'damaged')).toThrow(
    `${file} cannot be used (file is not a database): restore it, or delete the whole data directory to start from scratch`,
  );
});
