import { describe, expect, it } from 'vitest';
import { chooseBenches, helpText } from './arguments.ts';
import { formatTable } from './format.ts';
import { benches } from './registry.ts';

describe('npm run bench', () => {
  const names = benches.map(({ name }) => name);

  it('runs all benches if none is named, otherwise the named ones in the given order', () => {
    expect(chooseBenches(benches, [])).toEqual({ kind: 'run', benches });
    expect(chooseBenches(benches, ['requests', 'cold-start'])).toEqual({
      kind: 'run',
      benches: ['requests', 'cold-start'].map((name) => benches[names.indexOf(name)]),
    });
    expect(chooseBenches(benches, ['requests', 'nonsense'])).toEqual({ kind: 'unknown', name: 'nonsense' });
  });

  it('lists every bench in its help', () => {
    expect(chooseBenches(benches, ['cold-start', '--help'])).toEqual({ kind: 'help' });
    expect(new Set(names).size).toBe(names.length);
    for (const { name, describe: line } of benches) {
      expect(helpText(benches)).toContain(name);
      expect(helpText(benches)).toContain(line);
    }
  });

  it('aligns numbers right and text left', () => {
    const table = {
      title: 'Title',
      columns: ['name', 'ms', 'met'],
      rows: [
        ['a', '1.5', 'yes'],
        ['long', '12.5', ''],
      ],
      notes: ['A note.'],
      bounds: { met: 1, missed: 0 },
    };
    expect(formatTable(table).split('\n')).toEqual([
      'Title',
      '',
      'name    ms  met',
      '----  ----  ---',
      'a      1.5  yes',
      'long  12.5',
      '',
      'A note.',
      '',
    ]);
  });
});
